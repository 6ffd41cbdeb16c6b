// Replaces the C library's for tests: reports a failed assertion with its line, its text and the last call.
#undef assert
#define assert(...) (mendjudge::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __LINE__))
