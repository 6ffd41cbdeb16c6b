"""Ranking players."""


def standings(games):
    """(rank, player, points) from (home, away, home score, away score): 3 points a win, 1 a draw; ties share a rank."""
    points = {}
    for home, away, scored, conceded in games:
        for player in (home, away):
            points.setdefault(player, 0)
        if scored == conceded:
            points[home] += 1
            points[away] += 1
        else:
            points[home if scored > conceded else away] += 3
    table, rank, last = [], 0, None
    for place, (player, won) in enumerate(sorted(points.items(), key=lambda item: (-item[1], item[0]))):
        if won != last:
            rank, last = place, won
        table.append((rank, player, won))
    return table
