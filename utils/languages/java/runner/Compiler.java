package mendjudge;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * A warm compiler: a line on stdin is a job `{"id", "sources": "FILE BASE64\n..."}`, a line on stdout its answer `{"id",
 * "made": "NAME BASE64\n..."}`, `{"id", "problems": [{"file", "line", "text"}]}` or `{"id", "gaveUp": why}`. Sources are
 * hostile; nothing of them is run, as there are no annotation processors. A job may use a part of the processor and of
 * memory: with one that wants more this process ends, for its state is not to be trusted any more.
 */
final class Compiler {
    private static final int MOST_BYTES = 8 << 20;
    private static final int MOST_PROBLEMS = 5;
    private static final long LOOK_MILLIS = 50;

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager standard = compiler.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8);
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final PrintStream out;
    private final long mostNanos;

    private Compiler(PrintStream out, double seconds) {
        this.out = out;
        mostNanos = (long) (seconds * 1e9);
    }

    /** Where classes are found besides Java's own: a program can name nothing of ours. */
    private void locate(List<File> folders) {
        try {
            standard.setLocation(StandardLocation.CLASS_PATH, folders);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** @param arguments seconds of processor time for one job */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "US-ASCII");
        System.setOut(System.err);
        Compiler own = new Compiler(out, Double.parseDouble(arguments[0]));
        own.warmUp();
        out.println("{\"id\": \"ready\"}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) own.watched(Fields.parse(line.getBytes(StandardCharsets.UTF_8)));
    }

    private void warmUp() throws Exception {
        String source = "import java.util.*; class W { int f(List<Integer> x) { int s = 0; for (int i : x) s += i; return s; } }";
        compile(List.of(new Source("W.java", source)), false);
    }

    private void watched(Map<String, String> job) throws InterruptedException {
        String id = Fields.quoted(job.get("id"));
        String[] answer = new String[1];
        Thread worker = new Thread(null, () -> answer[0] = answer(job.get("sources"), "true".equals(job.get("everyProblem"))), "compile", 16 << 20);
        worker.start();
        while (worker.isAlive()) {
            worker.join(LOOK_MILLIS);
            long used = worker.isAlive() ? threads.getThreadCpuTime(worker.getId()) : 0;
            if (used > mostNanos) giveUp(id, "the compiler did not finish within " + mostNanos / 1_000_000_000 + " s");
        }
        if (answer[0] == null) giveUp(id, "the compiler needed more memory than it may use");
        out.println("{\"id\": " + id + ", " + answer[0] + "}");
    }

    private void giveUp(String id, String why) {
        out.println("{\"id\": " + id + ", \"gaveUp\": " + Fields.quoted(why) + "}");
        Runtime.getRuntime().halt(0);
    }

    /** Null where there was not memory enough. */
    private String answer(String text, boolean everyProblem) {
        try {
            List<Source> sources = new ArrayList<>();
            for (String line : text.split("\n")) {
                String[] parts = line.split(" ", 2);
                sources.add(new Source(parts[0], new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8)));
            }
            return compile(sources, everyProblem);
        } catch (OutOfMemoryError none) {
            return null;
        } catch (StackOverflowError deep) {
            return problem("it is nested too deeply for the compiler");
        } catch (Throwable defect) {
            return problem("the compiler failed: " + defect.getClass().getSimpleName());
        }
    }

    private static String problem(String text) {
        return "\"problems\": [{\"file\": \"\", \"line\": 0, \"text\": " + Fields.quoted(text) + "}]";
    }

    private String compile(List<Source> sources, boolean everyProblem) {
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        Classes classes = new Classes(standard);
        boolean own = sources.stream().anyMatch(Source::isOurs);
        List<String> options = new ArrayList<>(List.of("-proc:none", "-Xlint:none", "-nowarn", "-g:source,lines", "-implicit:none", "-XDstringConcat=inline", "-Xmaxerrs"));
        options.add(everyProblem ? String.valueOf(Integer.MAX_VALUE) : "20");
        // Else what does not parse hides wrong types, and these hide statements that nothing reaches.
        if (everyProblem) options.add("-XDshould-stop.ifError=FLOW");
        locate(own ? List.of(new File(System.getProperty("java.class.path"))) : List.of());
        boolean done = compiler.getTask(Writer.nullWriter(), classes, told, options, null, sources).call();
        if (!done) return problems(told.getDiagnostics(), everyProblem ? Integer.MAX_VALUE : MOST_PROBLEMS);
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, ByteArrayOutputStream> each : classes.made.entrySet()) {
            text.append(each.getKey()).append(' ').append(Base64.getEncoder().encodeToString(each.getValue().toByteArray())).append('\n');
            if (text.length() > MOST_BYTES) return problem("the compiled program is larger than " + (MOST_BYTES >> 20) + " MB");
        }
        return "\"made\": " + Fields.quoted(text.toString());
    }

    private static String problems(List<Diagnostic<? extends JavaFileObject>> told, int most) {
        StringBuilder out = new StringBuilder("\"problems\": [");
        int count = 0;
        for (Diagnostic<? extends JavaFileObject> each : told) {
            if (each.getKind() != Diagnostic.Kind.ERROR || count == most) continue;
            String file = each.getSource() == null ? "" : each.getSource().getName().replaceFirst("^/", "");
            out.append(count++ > 0 ? ", " : "").append("{\"file\": ").append(Fields.quoted(file));
            out.append(", \"line\": ").append(Math.max(0, each.getLineNumber())).append(", \"text\": ").append(Fields.quoted(each.getMessage(Locale.ENGLISH))).append('}');
        }
        return count == 0 ? problem("the compiler gave up: it is nested too deeply, or too large") : out.append(']').toString();
    }

    /** Any class may be public, whatever the file is called. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///" + file), Kind.SOURCE);
            this.text = text;
        }

        /** Of tests: they are compiled against `Remote`. */
        boolean isOurs() {
            return getName().endsWith("/" + Judge.FILE);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }

        @Override
        public NestingKind getNestingKind() {
            return null;
        }

        @Override
        public Modifier getAccessLevel() {
            return null;
        }
    }

    /** Keeps what is compiled in memory. */
    private static final class Classes extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> made = new LinkedHashMap<>();

        Classes(JavaFileManager manager) {
            super(manager);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            made.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("bytes:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }
}
