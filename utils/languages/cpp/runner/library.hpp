// Templates of the C++ library that every program would compile anew: those of the usual types, and those that functions
// of its headers use, called or not (half of a small program's time). `library.cpp` has them compiled.
#ifndef MEND_LIBRARY_HPP
#define MEND_LIBRARY_HPP

#define MEND_VECTORS(KIND)                                                                              \
  KIND template class std::vector<int>;                                                                 \
  KIND template class std::vector<float>;                                                               \
  KIND template class std::vector<double>;                                                              \
  KIND template class std::vector<std::string>;                                                         \
  KIND template class std::vector<std::vector<int>>;

// Names that the library of one release has for itself. Without them all is as it is with them, and slower.
#if defined _GLIBCXX_RELEASE && _GLIBCXX_RELEASE == 12

// What `stoi` and `to_string` use.
#define MEND_NUMBER(KIND, Found, Result, C, ...)                                                         \
  KIND template Result __gnu_cxx::__stoa<Found, Result, C>(                                              \
      Found (*)(const C*, C** __VA_OPT__(, ) __VA_ARGS__), const char*, const C*, std::size_t* __VA_OPT__(, ) __VA_ARGS__);
#define MEND_NUMBERS(KIND, C)                                                                            \
  MEND_NUMBER(KIND, long, int, C, int) MEND_NUMBER(KIND, long, long, C, int)                             \
  MEND_NUMBER(KIND, unsigned long, unsigned long, C, int) MEND_NUMBER(KIND, long long, long long, C, int) \
  MEND_NUMBER(KIND, unsigned long long, unsigned long long, C, int)                                      \
  MEND_NUMBER(KIND, float, float, C) MEND_NUMBER(KIND, double, double, C)                                \
  MEND_NUMBER(KIND, long double, long double, C)
#define MEND_MADE(KIND, C)                                                                               \
  KIND template void std::basic_string<C>::_M_construct<const C*>(const C*, const C*, std::forward_iterator_tag); \
  KIND template void std::basic_string<C>::_M_construct<C*>(C*, C*, std::forward_iterator_tag);
#define MEND_TEXTS(KIND)                                                                                 \
  MEND_NUMBERS(KIND, char) MEND_NUMBERS(KIND, wchar_t)                                                   \
  KIND template class std::basic_string<char16_t>;                                                       \
  KIND template class std::basic_string<char32_t>;                                                       \
  MEND_MADE(KIND, char) MEND_MADE(KIND, wchar_t) MEND_MADE(KIND, char16_t) MEND_MADE(KIND, char32_t)     \
  KIND template std::string __gnu_cxx::__to_xstring<std::string, char>(                                  \
      int (*)(char*, std::size_t, const char*, va_list), std::size_t, const char*, ...);                 \
  KIND template std::wstring __gnu_cxx::__to_xstring<std::wstring, wchar_t>(                             \
      int (*)(wchar_t*, std::size_t, const wchar_t*, va_list), std::size_t, const wchar_t*, ...);        \
  KIND template void std::__detail::__to_chars_10_impl<unsigned>(char*, unsigned, unsigned) noexcept;    \
  KIND template void std::__detail::__to_chars_10_impl<unsigned long>(char*, unsigned, unsigned long) noexcept; \
  KIND template void std::__detail::__to_chars_10_impl<unsigned long long>(char*, unsigned, unsigned long long) noexcept;

// What `betaf`, `legendrel` and their like use.
#define MEND_MATH(KIND, T)                                                                               \
  KIND template T std::__detail::__comp_ellint_1<T>(T);                                                  \
  KIND template T std::__detail::__comp_ellint_2<T>(T);                                                  \
  KIND template T std::__detail::__comp_ellint_3<T>(T, T);                                               \
  KIND template T std::__detail::__ellint_1<T>(T, T);                                                    \
  KIND template T std::__detail::__ellint_2<T>(T, T);                                                    \
  KIND template T std::__detail::__ellint_3<T>(T, T, T);                                                 \
  KIND template T std::__detail::__riemann_zeta<T>(T);                                                   \
  KIND template T std::__detail::__expint_Ei<T>(T);                                                      \
  KIND template T std::__detail::__beta_lgamma<T>(T, T);                                                 \
  KIND template T std::__detail::__cyl_bessel_i<T>(T, T);                                                \
  KIND template T std::__detail::__cyl_bessel_j<T>(T, T);                                                \
  KIND template T std::__detail::__cyl_bessel_k<T>(T, T);                                                \
  KIND template T std::__detail::__cyl_neumann_n<T>(T, T);                                               \
  KIND template T std::__detail::__sph_bessel<T>(unsigned, T);                                           \
  KIND template T std::__detail::__sph_neumann<T>(unsigned, T);                                          \
  KIND template T std::__detail::__sph_legendre<T>(unsigned, unsigned, T);                               \
  KIND template T std::__detail::__poly_legendre_p<T>(unsigned, T);                                      \
  KIND template T std::__detail::__assoc_legendre_p<T>(unsigned, unsigned, T, T);                        \
  KIND template T std::__detail::__poly_hermite_recursion<T>(unsigned, T);                               \
  KIND template T std::__detail::__poly_laguerre<unsigned, T>(unsigned, unsigned, T);                    \
  KIND template void std::__detail::__airy<T>(T, T&, T&, T&, T&);                                        \
  KIND template T std::__detail::__conf_hyperg<T>(T, T, T);                                              \
  KIND template T std::__detail::__hyperg<T>(T, T, T, T);

#define MEND_LIBRARY(KIND) \
  MEND_VECTORS(KIND) MEND_TEXTS(KIND) MEND_MATH(KIND, float) MEND_MATH(KIND, long double)
#else
#define MEND_LIBRARY(KIND) MEND_VECTORS(KIND)
#endif

#endif
