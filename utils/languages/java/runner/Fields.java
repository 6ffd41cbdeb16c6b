package mendjudge;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A JSON object of texts and words (others are left out), as our own processes write it, and a text as JSON. */
final class Fields {
    private final String json;
    private int at;

    private Fields(String json) {
        this.json = json;
    }

    static Map<String, String> parse(byte[] message) {
        return new Fields(new String(message, StandardCharsets.UTF_8)).object();
    }

    private Map<String, String> object() {
        Map<String, String> found = new HashMap<>();
        for (at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
            String name = text();
            at = json.indexOf(':', at) + 1;
            while (json.charAt(at) == ' ') at++;
            if (json.charAt(at) == '"') found.put(name, text());
            else {
                int start = at;
                while (at < json.length() && json.charAt(at) != ',' && json.charAt(at) != '}') at++;
                found.put(name, json.substring(start, at).strip());
            }
        }
        return found;
    }

    /** The text whose opening quote is at `at`, which moves behind it. */
    private String text() {
        StringBuilder found = new StringBuilder();
        for (at++; json.charAt(at) != '"'; at++) {
            char one = json.charAt(at);
            if (one != '\\') {
                found.append(one);
                continue;
            }
            at++;
            char escaped = json.charAt(at);
            if (escaped == 'u') {
                found.append((char) Integer.parseInt(json.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int known = "nrtbf".indexOf(escaped);
                found.append(known < 0 ? escaped : "\n\r\t\b\f".charAt(known));
            }
        }
        at++;
        return found.toString();
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == '"' || one == '\\') out.append('\\').append(one);
            else if (one < ' ' || one > '~') out.append(String.format("\\u%04x", (int) one));
            else out.append(one);
        }
        return out.append('"').toString();
    }
}
