"""One line of comma-separated values."""


def split_line(line, comma=","):
    """The fields of a line. A field in double quotes may hold commas; two quotes inside it are one."""
    fields, field, quoted = [], "", False
    i = 0
    while i < len(line):
        char = line[i]
        if quoted:
            if char == '"' and line[i + 1:i + 2] == '"':
                field += '"'
                i += 1
            elif char == '"':
                quoted = False
            else:
                field += char
        elif char == '"':
            quoted = True
        elif char == comma:
            fields.append(field)
        else:
            field += char
        i += 1
    fields.append(field)
    return fields
