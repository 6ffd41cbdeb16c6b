package mendjudge;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Classes out of a text: a line for each, its name and its bytes in base 64. */
final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes = new LinkedHashMap<>();

    Loader(String text, ClassLoader parent) {
        super(parent);
        for (String line : text.split("\n")) {
            int space = line.indexOf(' ');
            if (space > 0) classes.put(line.substring(0, space), Base64.getDecoder().decode(line.substring(space + 1)));
        }
    }

    Iterable<String> names() {
        return classes.keySet();
    }

    /** A class of the text under its own name comes before any of Java's; `java.` stays Java's own. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            byte[] bytes = classes.get(name);
            return bytes == null ? super.loadClass(name, resolve) : defineClass(name, bytes, 0, bytes.length);
        }
    }
}
