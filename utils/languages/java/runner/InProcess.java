package mendjudge;

import java.io.FileDescriptor;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges a program in one process with its tests. A pass shows the number of the job, which no field of an object of ours
 * holds while the tests run. Descriptor 0 is the supervisor's, which gives the job and takes the verdict.
 */
final class InProcess {
    private InProcess() {}

    public static void main(String[] arguments) throws Exception {
        Channel supervisor = new Channel(FileDescriptor.in);
        Map<String, String> job = Fields.parse(supervisor.receive(Channel.TRUSTED_LIMIT));
        System.setIn(InputStream.nullInputStream());
        String nonce = job.get("nonce");
        Object[] failure = job.get("test").isEmpty() ? null : failureOf(job);
        System.out.flush();
        if (failure == null) throw supervisor.end(nonce, "passed", true, 0, Checks.reached, 0, "", "", "", "", "");
        throw supervisor.end("", "failed", true, 0, Checks.reached, failure[0], failure[1], "", "", "", failure[2]);
    }

    /** Runs the tests. Null where all of them hold, else the line, the check that does not hold, and what was thrown. */
    private static Object[] failureOf(Map<String, String> job) throws Exception {
        Together loader = Together.of(job.get("program"), job.get("test"), List.of(job.get("entryPoint").split(",")));
        Thread.currentThread().setContextClassLoader(loader);
        Method main = Candidate.mainOf(loader);
        if (main == null) return new Object[] {0, "the tests have no method `main`", ""};
        try {
            main.invoke(null, (Object) new String[0]);
            return Checks.firstFailure.isEmpty() ? null : new Object[] {0, Checks.firstFailure, ""};
        } catch (InvocationTargetException thrown) {
            return failure(thrown.getCause());
        }
    }

    private static Object[] failure(Throwable thrown) {
        int line = 0;
        String text = "";
        try {
            line = Judge.lineOf(thrown);
            text = thrown.getMessage() == null ? "" : thrown.getMessage();
        } catch (Throwable worse) {
            text = "its text cannot be shown";
        }
        boolean plain = thrown instanceof AssertionError && text.isEmpty();
        if (plain && !Checks.firstFailure.isEmpty()) return new Object[] {0, Checks.firstFailure, ""};
        return new Object[] {line, "", plain ? "" : Remote.told(thrown.getClass().getName(), text, 0)};
    }

    /**
     * Program and tests, which were compiled apart: the tests against the program that the task declares. Names of that are
     * the program's, all others first the tests' own. Members without a modifier need one loader for both.
     */
    private static final class Together extends Loader {
        private final Set<String> tests;

        private Together(Map<String, byte[]> classes, Set<String> tests) {
            super(classes, ClassLoader.getPlatformClassLoader());
            this.tests = tests;
            setDefaultAssertionStatus(true);
        }

        static Together of(String program, String tests, List<String> declared) {
            Map<String, byte[]> own = read(tests);
            own.keySet().removeIf(name -> declared.contains(name.split("\\$")[0]));
            Map<String, byte[]> classes = read(program);
            classes.putAll(own);
            return new Together(classes, own.keySet());
        }

        @Override
        Iterable<String> names() {
            return tests;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Checks.class.getName()) ? Checks.class : super.loadClass(name, resolve);
        }
    }
}
