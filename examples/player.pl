#!/usr/bin/perl
# A player in Perl, by the protocol of docs/protocol.md: it tries at random, captures of its own pawns first.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # every answer is sent at once
my $json = JSON::PP->new->canonical;
my ( $colour, $tried ) = ( "white", 0 );

while ( my $line = <STDIN> ) {
    my $told = $json->decode($line);
    if ( $told->{type} eq "hello" ) {
        say_it( { type => "hello", protocol => 1, name => "perl",
                  games => [ "Kriegspiel", "DarkChess", "InvisibleChess" ],
                  wants => [ "tries", "board" ] } );
    }
    elsif ( $told->{type} eq "begin" ) {
        srand( $told->{seed} );
        ( $colour, $tried ) = ( $told->{colour}, 0 );
        say_it( { type => "ready" } );
    }
    elsif ( $told->{type} eq "choose" ) {
        my @tries = grep { $_ ne "any?" } @{ $told->{tries} };
        my @sharp = grep { is_pawn_capture( $_, $told->{board} ) } @tries;
        my @from  = @sharp ? @sharp : @tries;
        $tried++;
        say_it( { type => "try", try => $from[ int( rand(@from) ) ], nodes => $tried } );
    }
}

sub say_it { print $json->encode( $_[0] ), "\n" }

# Whether a try such as e4d5 moves a pawn of one's own to another file.
sub is_pawn_capture {
    my ( $try, $board ) = @_;
    return 0 if substr( $try, 0, 1 ) eq substr( $try, 2, 1 );
    my $row = ( split m{/}, $board )[ 8 - substr( $try, 1, 1 ) ];
    $row =~ s/(\d)/"." x $1/ge;
    return lc( substr( $row, ord($try) - ord("a"), 1 ) ) eq "p";
}
