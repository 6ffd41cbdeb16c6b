package mendjudge;

/** Counts the checks of tests in one process with the program. The program can change these values, too. */
public final class Checks {
    static int reached;
    static String firstFailure = "";

    private Checks() {}

    /** Counts a check before it is made. */
    public static void reached() {
        reached++;
    }

    /** Counts a check of a list, and notes the first that does not hold. @param what its line and its text */
    public static boolean held(String what, boolean holds) {
        reached++;
        if (!holds && firstFailure.isEmpty()) firstFailure = what;
        return holds;
    }
}
