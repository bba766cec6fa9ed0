"""Players apart: in a process of their own that holds no referee, over a documented protocol of JSON lines.

wire       the messages, and what a seat is told in them
cage       what a process may not do, as far as the system can keep it from it
process    one process, spoken to with limits on time and length
player     such a process as a `Player`
guest      the other side for players written in Python
"""
