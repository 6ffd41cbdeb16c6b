package mendjudge;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The confined process: runs a program for its output, or loads one and answers its judge's calls with plain values. It
 * shares its process with the program, so nothing that it says is believed. Its channel is descriptor 0.
 */
final class Candidate {
    /** The name under which programs are compiled. */
    static final String FILE = "Program.java";
    private static final int MOST_CHARS = 300;

    private final Channel channel;
    private final Map<Integer, Object> instances = new HashMap<>();
    private Class<?> type;
    private String entry;

    private Candidate(Channel channel) {
        this.channel = channel;
    }

    public static void main(String[] arguments) throws Exception {
        Channel channel = new Channel(FileDescriptor.in);
        byte[] first = channel.receive(Channel.TRUSTED_LIMIT);
        if (first.length > 0 && first[0] == '{') runProgram(channel, Fields.parse(first).get("program"));
        else new Candidate(channel).serve(new Values.Reader(first));
    }

    // ---- a program for its output

    private static void runProgram(Channel channel, String classes) throws Exception {
        // The program gets no channel: what it writes anywhere cannot be taken for ours.
        channel.send("{\"compiled\": true}".getBytes());
        new FileInputStream(FileDescriptor.in).close();
        System.setIn(InputStream.nullInputStream());
        Loader loader = new Loader(Loader.read(classes), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        Method main = mainOf(loader);
        if (main == null) {
            System.err.println("note: it compiles; no class has a method `public static void main(String[] args)`, so nothing was run");
            System.exit(0);
        }
        try {
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            System.out.flush();
            Throwable cause = thrown.getCause();
            withoutOurs(cause);
            System.err.print("Exception in thread \"main\" ");
            cause.printStackTrace();
            System.exit(1);
        }
    }

    /** The first class with a method `main`; null if there is none. */
    static Method mainOf(Loader loader) throws ClassNotFoundException {
        for (String name : loader.names()) {
            for (Method one : Class.forName(name, false, loader).getDeclaredMethods()) {
                if (isMain(one)) {
                    one.setAccessible(true);
                    return one;
                }
            }
        }
        return null;
    }

    private static boolean isMain(Method one) {
        boolean starts = one.getName().equals("main") && Modifier.isStatic(one.getModifiers());
        return starts && Arrays.equals(one.getParameterTypes(), new Class<?>[] {String[].class});
    }

    private static void withoutOurs(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        int last = trace.length;
        while (last > 0 && !FILE.equals(trace[last - 1].getFileName())) last--;
        thrown.setStackTrace(Arrays.copyOf(trace, last));
    }

    // ---- calls of a judge

    private void serve(Values.Reader first) throws IOException, Channel.Closed, Channel.Malformed, Values.NotPlain {
        long id = first.in.readLong();
        String classes = first.text();
        String name = first.text();
        entry = first.text();
        Loader loader = new Loader(Loader.read(classes), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        Values.Writer reply = replyTo(id);
        try {
            type = Class.forName(name, true, loader);
            reply.out.writeByte(isDefined() ? 'l' : 'm');
        } catch (ClassNotFoundException missing) {
            reply.out.writeByte('m');
        } catch (Throwable thrown) {
            raised(reply, thrown);
        }
        channel.send(reply.done());
        for (;;) {
            Values.Reader call = new Values.Reader(channel.receive(Channel.LIMIT));
            long number = call.in.readLong();
            int instance = call.in.readInt();
            if (instance < 0) break;
            answer(number, instance, call);
        }
    }

    private boolean isDefined() {
        for (Method one : type.getDeclaredMethods()) if (one.getName().equals(entry)) return true;
        return false;
    }

    private static Values.Writer replyTo(long id) throws IOException {
        Values.Writer reply = new Values.Writer();
        reply.out.writeLong(id);
        return reply;
    }

    private void answer(long id, int instance, Values.Reader call) throws IOException, Channel.Closed, Values.NotPlain {
        Values.Writer reply = replyTo(id);
        try {
            Object[] arguments = (Object[]) call.value();
            byte[] before = bytesOf(arguments);
            Object value = invoke(instance, arguments);
            reply.out.writeByte('v');
            boolean same = before == null || Arrays.equals(before, bytesOf(arguments));
            reply.out.writeBoolean(!same);
            if (!same) reply.value(arguments);
            reply.value(value);
            channel.send(reply.done());
            return;
        } catch (Values.NotPlain problem) {
            reply = replyTo(id);
            reply.out.writeByte('o');
            reply.text(problem.getMessage());
        } catch (Throwable thrown) {
            reply = replyTo(id);
            raised(reply, thrown instanceof InvocationTargetException ? thrown.getCause() : thrown);
        }
        channel.send(reply.done());
    }

    /** Null where none of them can be changed. */
    private static byte[] bytesOf(Object[] arguments) throws IOException, Values.NotPlain {
        boolean fixed = true;
        for (Object one : arguments) {
            fixed &= !(one instanceof Collection || one instanceof Map || one != null && one.getClass().isArray());
        }
        if (fixed) return null;
        Values.Writer out = new Values.Writer();
        out.value(arguments);
        return out.done();
    }

    private Object invoke(int instance, Object[] arguments) throws Throwable {
        Method method = methodFor(arguments);
        if (method == null) throw new NoSuchMethodException(entry + " does not take these arguments");
        method.setAccessible(true);
        Object target = Modifier.isStatic(method.getModifiers()) ? null : instanceOf(instance);
        return method.invoke(target, arguments);
    }

    private Object instanceOf(int number) throws Throwable {
        Object known = instances.get(number);
        if (known == null) {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            known = constructor.newInstance();
            instances.put(number, known);
        }
        return known;
    }

    /** The method that takes these arguments, and of several the one that needs the fewest of them widened. */
    private Method methodFor(Object[] arguments) {
        Method best = null;
        int least = Integer.MAX_VALUE;
        for (Method one : type.getDeclaredMethods()) {
            if (!one.getName().equals(entry) || one.isBridge()) continue;
            int cost = costOf(one.getParameterTypes(), arguments);
            if (cost >= 0 && cost < least) {
                least = cost;
                best = one;
            }
        }
        return best;
    }

    private static final String WIDENING = "BSIJFD";

    /** How many arguments are no values of the very type; -1 where they do not fit. */
    private static int costOf(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) return -1;
        int cost = 0;
        for (int i = 0; i < types.length; i++) {
            Object given = arguments[i];
            if (given == null) {
                if (types[i].isPrimitive()) return -1;
            } else if (types[i].isPrimitive()) {
                char wanted = letter(types[i]);
                char have = letter(given.getClass());
                boolean widens = have == 'C' ? WIDENING.indexOf(wanted) >= 2 : WIDENING.indexOf(have) >= 0 && WIDENING.indexOf(have) < WIDENING.indexOf(wanted);
                if (wanted != have && !widens) return -1;
                cost += wanted == have ? 0 : 1;
            } else {
                if (!types[i].isInstance(given)) return -1;
                cost += types[i] == given.getClass() ? 0 : 1;
            }
        }
        return cost;
    }

    /** A primitive type, or the class of its objects, as one letter; `-` for all others. */
    private static char letter(Class<?> type) {
        String name = type.getSimpleName().toLowerCase();
        switch (name) {
            case "boolean": return 'Z';
            case "byte": return 'B';
            case "short": return 'S';
            case "int": case "integer": return 'I';
            case "long": return 'J';
            case "float": return 'F';
            case "double": return 'D';
            case "char": case "character": return 'C';
            default: return '-';
        }
    }

    /** What was thrown, as data. It may be of the program's own class, and its methods may throw. */
    private static void raised(Values.Writer reply, Throwable thrown) throws IOException {
        String type = "an exception";
        String message = "";
        int line = 0;
        try {
            Throwable shown = thrown instanceof ExceptionInInitializerError && thrown.getCause() != null ? thrown.getCause() : thrown;
            type = shown.getClass().getName();
            message = shown.getMessage() == null ? "" : shown.getMessage();
            for (StackTraceElement each : shown.getStackTrace()) {
                if (line == 0 && FILE.equals(each.getFileName())) line = each.getLineNumber();
            }
        } catch (Throwable worse) {
            message = "its text cannot be shown";
        }
        reply.out.writeByte('r');
        reply.text(type.length() > MOST_CHARS ? type.substring(0, MOST_CHARS) : type);
        reply.text(message.length() > MOST_CHARS ? message.substring(0, MOST_CHARS) : message);
        reply.out.writeInt(line);
    }
}
