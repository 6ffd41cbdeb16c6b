"""Small templates: `{name}` and `{name|default}`."""
import re


def render(template, values):
    """Puts values in; a name without value or default stays as it is, `{{` is a brace."""
    def fill(match):
        if match.group() == "{{":
            return "{"
        name, bar, default = match.group(1).partition("|")
        name = name.strip()
        if name in values and values[name] is not None:
            return str(values[name])
        return default

    return re.sub(r"\{\{|\{([^{}]+)\}", fill, template)
