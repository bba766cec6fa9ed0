"""Where games are played: worker processes, Ray, and who may use a folder."""
