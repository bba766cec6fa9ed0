"""One game: players in their seats, the referee, and what is known of it afterwards."""
