from csv_line import split_line

assert split_line("") == [""]
assert split_line("a,,b") == ["a", "", "b"]
assert split_line('1,"say ""hi"", please",3') == ["1", 'say "hi", please', "3"]
assert split_line("a;b;c", ";") == ["a", "b", "c"]
