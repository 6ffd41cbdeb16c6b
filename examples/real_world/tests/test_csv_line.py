from csv_line import split_line

assert split_line("a,b") == ["a", "b"]
assert split_line('"x,y"') == ["x,y"]
