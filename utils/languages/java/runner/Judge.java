package mendjudge;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;

/**
 * Judges one job: runs its tests in this process, which is confined, against a program at the other end of a socket.
 * Every reply is hostile until decoded. Descriptors: 0 of the supervisor, which gives the job and takes the verdict, 1 of
 * the program.
 */
final class Judge {
    /** The name under which tests are compiled. */
    static final String FILE = "Tests.java";
    private static Channel supervisor;
    private static boolean loaded;
    private static String entry = "";

    private Judge() {}

    public static void main(String[] arguments) {
        supervisor = new Channel(FileDescriptor.in);
        Remote.candidate = new Channel(FileDescriptor.out);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        try {
            judge(Fields.parse(supervisor.receive(Channel.TRUSTED_LIMIT)));
        } catch (Throwable defect) {
            // There is no verdict.
            throw finish("sandbox_error", "the judge failed: " + defect);
        }
    }

    private static void judge(Map<String, String> job) throws Exception {
        entry = job.get("entryPoint");
        load(job);
        String test = job.get("test");
        if (!test.isEmpty()) runTests(test);
        end();
        if (!test.isEmpty() && Remote.calls == 0) throw finish("failed", "the tests never called `" + entry + "`");
        throw finish("passed", "");
    }

    /** Has the program loaded, in its own process. */
    private static void load(Map<String, String> job) throws IOException, Values.NotPlain {
        try {
            String first = new String(Remote.candidate.receive(Channel.LIMIT));
            if (first.startsWith("{\"setup\"")) throw finish("sandbox_error", "the sandbox could not be set up: " + first);
        } catch (Channel.Closed | Channel.Malformed ended) {
            throw finish("crashed", "");
        }
        // The name of the class stands before the method's.
        String[] names = entry.split("\\.");
        entry = names[names.length - 1];
        Values.Writer request = new Values.Writer();
        long id = Remote.number();
        request.out.writeLong(id);
        request.text(job.get("program"));
        request.text(names[0]);
        request.text(entry);
        Values.Reader reply = Remote.ask(request.done(), id);
        switch (reply.in.readByte()) {
            case 'l':
                loaded = true;
                return;
            case 'm':
                throw finish("failed", "the program does not define a method `" + entry + "` in a class `" + names[0] + "`");
            case 'r':
                throw finish("failed", "the program does not load: " + Remote.told(reply.text(), reply.text(), reply.in.readInt()));
            default:
                throw forged("a message of no known form");
        }
    }

    private static void runTests(String classes) throws ReflectiveOperationException {
        Loader loader = new Loader(Loader.read(classes), Judge.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        Method main = Candidate.mainOf(loader);
        if (main == null) throw finish("sandbox_error", "the tests have no method `main`");
        try {
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            throw failed(thrown.getCause());
        }
    }

    private static Error failed(Throwable thrown) {
        String text = thrown.getMessage() == null ? "" : thrown.getMessage();
        String type = thrown.getClass().getName();
        boolean plain = thrown instanceof AssertionError && text.isEmpty();
        if (Remote.firstFailure != null && plain) return finish("failed", 0, Remote.firstFailure, Remote.callThen, "");
        String ended = Remote.last[2];
        boolean isTold = plain || ended.contains(text.isEmpty() ? Remote.told(type, "", 0) : text);
        return finish("failed", lineOf(thrown), "", Remote.last, isTold ? "" : Remote.told(type, text, 0));
    }

    /** The innermost line of the tests that is on the way of what was thrown; 0 for none. */
    static int lineOf(Throwable thrown) {
        for (StackTraceElement each : thrown.getStackTrace()) {
            if (FILE.equals(each.getFileName())) return each.getLineNumber();
        }
        return 0;
    }

    /** The program is still there, and has nothing more to say. */
    private static void end() throws IOException, Values.NotPlain {
        Values.Writer request = new Values.Writer();
        request.out.writeLong(0);
        request.out.writeInt(-1);
        try {
            Remote.candidate.send(request.done());
        } catch (Channel.Closed ended) {
            throw finish("crashed", "");
        }
    }

    static Error forged(String what) {
        return finish("forged", "the program broke the protocol: it sent " + what);
    }

    /** Says the verdict, with the last call, and ends: nothing that the tests do afterwards can change it. Never returns. */
    static Error finish(String outcome, String what) {
        return finish(outcome, 0, what, Remote.last, "");
    }

    private static Error finish(String outcome, int line, String what, String[] call, String why) {
        return supervisor.end("", outcome, loaded, Remote.calls, 0, line, what, call[0], call[1], call[2], why);
    }
}
