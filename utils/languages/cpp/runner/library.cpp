// What programs need of the C++ library's templates, compiled: see `library.hpp`.
#include "mend.hpp"

MEND_LIBRARY()
