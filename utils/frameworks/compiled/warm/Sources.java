package mendwarm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources of a project; what was learned of its libraries stays for the next time. */
final class Sources {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);

  private Sources() {}

  /** Mistakes, as javac's lines tell them; none where classes were written. */
  static List<String> compile(String out, String classPath, List<String> files) {
    DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
    List<String> options = Arrays.asList(
        "-d", out, "-cp", classPath, "-nowarn", "-g", "-parameters", "-Xmaxerrs", "1000", "-XDshould-stop.ifError=FLOW");
    List<String> mistakes = new ArrayList<>();
    boolean isCompiled;
    try {
      isCompiled = COMPILER
          .getTask(null, FILES, told, options, null, FILES.getJavaFileObjectsFromStrings(files))
          .call();
    } catch (RuntimeException thrown) {
      return Arrays.asList(String.valueOf(thrown));
    }
    for (Diagnostic<? extends JavaFileObject> one : told.getDiagnostics()) {
      if (one.getKind() != Diagnostic.Kind.ERROR) continue;
      String text = one.getMessage(Locale.ROOT).split("\n", 2)[0];
      String place = one.getSource() == null ? "" : one.getSource().getName() + ":" + one.getLineNumber() + ": ";
      mistakes.add(place + "error: " + text);
    }
    if (!isCompiled && mistakes.isEmpty()) mistakes.add("it does not compile");
    return isCompiled ? new ArrayList<>() : mistakes;
  }
}
