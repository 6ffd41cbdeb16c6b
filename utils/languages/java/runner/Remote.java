package mendjudge;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The program under test, as its tests see it: a stub of its class calls this, which asks the program's process. */
public final class Remote {
    private static final int SHOWN = 200;
    static Channel candidate;
    static int calls;
    /** The last call: of what, its arguments as they are shown, and how it ended. */
    static String[] last = {"", "", ""};
    /** The first check that does not hold, null for none, and the last call by then. */
    static String firstFailure;
    static String[] callThen;
    private static int instances;

    private Remote() {}

    /** The number of a new object of the class under test. */
    public static int instance() {
        return instances++;
    }

    /** Notes the first check that does not hold, with the last call by then. @param what its line and its text */
    public static boolean check(String what, boolean holds) {
        if (!holds && firstFailure == null) {
            firstFailure = what;
            callThen = last.clone();
        }
        return holds;
    }

    /** @param wanted the letter of the primitive type that the tests are compiled for; `L` for any other */
    public static Object call(int instance, String name, char wanted, Object... arguments) {
        calls++;
        last = new String[] {name, shown(arguments), "did not return"};
        Values.Reader reply;
        try {
            Values.Writer request = new Values.Writer();
            long id = number();
            request.out.writeLong(id);
            request.out.writeInt(instance);
            request.value(arguments);
            reply = ask(request.done(), id);
        } catch (Values.NotPlain problem) {
            throw Judge.finish("sandbox_error", "the tests pass " + problem.getMessage() + " to `" + name + "`, not a plain value");
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return taken(reply, wanted, arguments);
    }

    private static Object taken(Values.Reader reply, char wanted, Object[] arguments) {
        try {
            switch (reply.in.readByte()) {
                case 'v': {
                    if (reply.in.readBoolean()) update(arguments, reply.value());
                    Object value = reply.value();
                    last[2] = "returned " + shown(value);
                    return fitting(value, wanted);
                }
                case 'o':
                    last[2] = "returned " + reply.text() + ", which is no plain value";
                    throw Judge.finish("failed", "");
                case 'r': {
                    Throwable thrown = raised(reply);
                    throw Remote.<RuntimeException>sneaky(thrown);
                }
                default:
                    throw Judge.forged("a message of no known form");
            }
        } catch (IOException malformed) {
            throw Judge.forged("a value of no known form");
        }
    }

    /** What the program changed in its arguments is changed in those of the tests, as far as these can be changed. */
    private static void update(Object[] arguments, Object changed) throws IOException {
        if (!(changed instanceof Object[]) || ((Object[]) changed).length != arguments.length) throw new IOException("no arguments");
        for (int i = 0; i < arguments.length; i++) {
            try {
                update(arguments[i], ((Object[]) changed)[i]);
            } catch (RuntimeException fixed) {
                // It holds what it held.
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void update(Object own, Object changed) {
        if (own == null || own.equals(changed)) return;
        if (own instanceof List && changed instanceof List && ((List<?>) own).size() == ((List<?>) changed).size()) {
            for (int i = 0; i < ((List<?>) own).size(); i++) ((List<Object>) own).set(i, ((List<?>) changed).get(i));
        } else if (own instanceof Collection && changed instanceof Collection) {
            ((Collection<Object>) own).clear();
            ((Collection<Object>) own).addAll((Collection<?>) changed);
        } else if (own instanceof Map && changed instanceof Map) {
            ((Map<Object, Object>) own).clear();
            ((Map<Object, Object>) own).putAll((Map<?, ?>) changed);
        } else if (own.getClass().isArray() && own.getClass() == changed.getClass() && Array.getLength(own) == Array.getLength(changed)) {
            System.arraycopy(changed, 0, own, 0, Array.getLength(own));
        }
    }

    /** Sends, and waits for a reply with the same number, which could not be known before. */
    static Values.Reader ask(byte[] request, long id) {
        try {
            candidate.send(request);
            Values.Reader reply = new Values.Reader(candidate.receive(Channel.LIMIT));
            if (reply.in.readLong() != id) throw Judge.forged("a message of no known form");
            return reply;
        } catch (Channel.Closed ended) {
            // The supervisor explains why: it knows the exit status.
            throw Judge.finish("crashed", "");
        } catch (Channel.Malformed malformed) {
            throw Judge.forged(malformed.getMessage());
        } catch (IOException malformed) {
            throw Judge.forged("a message of no known form");
        }
    }

    /**
     * A number that the program cannot guess. It is negative: the first message begins with it, and must not begin with
     * `{`, which asks for a program to be run.
     */
    static long number() throws IOException {
        try (FileInputStream random = new FileInputStream("/dev/urandom")) {
            long number = 0;
            for (int i = 0; i < 8; i++) number = number << 8 | random.read();
            return number | Long.MIN_VALUE;
        }
    }

    /** A number as the tests' type of it, where it is the same number: a program may well return a wider or narrower one. */
    private static Object fitting(Object value, char wanted) {
        if (wanted == 'L' || !(value instanceof Number)) return value;
        Number number = (Number) value;
        boolean whole = !(value instanceof Double || value instanceof Float);
        switch (wanted) {
            case 'D': return number.doubleValue();
            case 'F': return value instanceof Double ? value : (Object) number.floatValue();
            case 'J': return whole ? number.longValue() : value;
            case 'I': return whole && number.intValue() == number.longValue() ? (Object) number.intValue() : value;
            case 'S': return whole && number.shortValue() == number.longValue() ? (Object) number.shortValue() : value;
            case 'B': return whole && number.byteValue() == number.longValue() ? (Object) number.byteValue() : value;
            default: return value;
        }
    }

    /** What the program threw: of one of Java's own classes, else a RuntimeException that names the class. */
    private static Throwable raised(Values.Reader reply) throws IOException {
        String type = reply.text();
        String message = reply.text();
        int line = reply.in.readInt();
        String told = told(type, message, line);
        last[2] = "threw " + told;
        if (type.matches("java\\.(?:lang|util|io)\\.\\w{1,60}")) {
            try {
                Object made = Class.forName(type).getConstructor(String.class).newInstance(message);
                if (made instanceof Exception || made instanceof StackOverflowError) return (Throwable) made;
            } catch (ReflectiveOperationException | LinkageError none) {
                // The RuntimeException below names it.
            }
        }
        return new RuntimeException(told);
    }

    static String told(String type, String message, int line) {
        String name = type.replaceFirst("^java\\.\\w+\\.", "");
        return name + (message.isEmpty() ? "" : ": " + message) + (line > 0 ? " (line " + line + " of the program)" : "");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    // ---- values for a reader

    private static String shown(Object... values) {
        StringBuilder out = new StringBuilder();
        for (Object each : values) {
            if (out.length() > 0) out.append(", ");
            show(each, out, 4 * SHOWN, 0);
        }
        return out.toString();
    }

    private static void show(Object value, StringBuilder out, int most, int depth) {
        if (out.length() > most || depth > 8) {
            out.append("…");
        } else if (value instanceof String) {
            out.append(Fields.quoted((String) value));
        } else if (value instanceof Character) {
            out.append('\'').append(value).append('\'');
        } else if (value instanceof Iterable) {
            String between = "[";
            for (Object one : (Iterable<?>) value) {
                show(one, out.append(between), most, depth + 1);
                between = ", ";
                if (out.length() > most) break;
            }
            out.append(between.equals("[") ? "[]" : "]");
        } else if (value instanceof Map) {
            String between = "{";
            for (Map.Entry<?, ?> one : ((Map<?, ?>) value).entrySet()) {
                show(one.getKey(), out.append(between), most, depth + 1);
                show(one.getValue(), out.append("="), most, depth + 1);
                between = ", ";
                if (out.length() > most) break;
            }
            out.append(between.equals("{") ? "{}" : "}");
        } else if (value != null && value.getClass().isArray()) {
            out.append('{');
            for (int i = 0; i < Array.getLength(value) && out.length() <= most; i++) show(Array.get(value, i), i == 0 ? out : out.append(", "), most, depth + 1);
            out.append('}');
        } else {
            out.append(value);
        }
    }
}
