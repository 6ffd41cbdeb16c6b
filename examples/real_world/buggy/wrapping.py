"""Text in lines of a given width."""


def wrap(text, width):
    """The words of a text in lines of at most `width` characters; a longer word stands alone."""
    lines, line = [], ""
    for word in text.split():
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    return lines
