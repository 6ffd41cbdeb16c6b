package mendjudge;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Loads classes by their bytes. */
class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(Map<String, byte[]> classes, ClassLoader parent) {
        super(parent);
        this.classes = classes;
    }

    /** Classes out of a text: a line for each, its name and its bytes in base 64. */
    static Map<String, byte[]> read(String text) {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        for (String line : text.split("\n")) {
            int space = line.indexOf(' ');
            if (space > 0) classes.put(line.substring(0, space), Base64.getDecoder().decode(line.substring(space + 1)));
        }
        return classes;
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
