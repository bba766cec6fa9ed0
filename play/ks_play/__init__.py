"""A page in the browser on which people play: `ks play`.

command   the command
app       the server: pages, links, and the socket of a seat
guard     whom the server answers, and what its pages may load; `refusals` is how it says no
setup     what a game is made of
house     all games that are played here
sitting   one game, its seats, and what is done at them
told      what a seat is sent
past      what it saw earlier
clock     the clocks of a game
offers    its offers of a draw
rules     the options of a game's rules
ladder    opponents by measured strength, and a person's rating
lessons   the tutorial
analysis  games that are over: pages, files, reasons; `explaining` asks engines, `guesses` keeps ghosts
watching  games of two engines, and `studies`, tournaments, to be looked at; `watch_pages` answers for both
engines   players in processes of their own; `worker` is such a process, `thinking` what it is told
store     the games on disk
page/     what runs in the browser: plain HTML, CSS and JavaScript
"""
