/* arithmetic.c: operators of contracts that are more than one of C. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "sidl_contract.h"

int64_t sidl_power(struct sidl_check* check, int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) return sidl_check_fault(check, "an integer is divided by zero");
    if (base != 1 && base != -1) return 0;
    return base == 1 || exponent % 2 == 0 ? 1 : -1;
  }
  int64_t result = 1;
  for (int64_t square = base; exponent > 0 && check->why == NULL; exponent /= 2) {
    if (exponent % 2 != 0) result = sidl_multiply(check, result, square);
    if (exponent > 1) square = sidl_multiply(check, square, square);
  }
  return result;
}

double sidl_real_power(double base, double exponent) {
  return pow(base, exponent);
}

/* By its parts: re + im * I would lose signs of zero, and clang has no CMPLX. */
static double complex c_of(struct sidl_dcomplex z) {
  double complex result;
  const double parts[] = {z.real, z.imaginary};
  memcpy(&result, parts, sizeof result);
  return result;
}

static struct sidl_dcomplex of_c(double complex z) {
  return sidl_complex(creal(z), cimag(z));
}

struct sidl_dcomplex sidl_complex_add(struct sidl_dcomplex a, struct sidl_dcomplex b) {
  return sidl_complex(a.real + b.real, a.imaginary + b.imaginary);
}

struct sidl_dcomplex sidl_complex_subtract(struct sidl_dcomplex a, struct sidl_dcomplex b) {
  return sidl_complex(a.real - b.real, a.imaginary - b.imaginary);
}

struct sidl_dcomplex sidl_complex_multiply(struct sidl_dcomplex a, struct sidl_dcomplex b) {
  return of_c(c_of(a) * c_of(b));
}

struct sidl_dcomplex sidl_complex_divide(struct sidl_dcomplex a, struct sidl_dcomplex b) {
  return of_c(c_of(a) / c_of(b));
}

struct sidl_dcomplex sidl_complex_power(struct sidl_dcomplex a, struct sidl_dcomplex b) {
  return of_c(cpow(c_of(a), c_of(b)));
}

sidl_bool sidl_complex_is_equal(struct sidl_check* check, struct sidl_dcomplex a,
                                struct sidl_dcomplex b) {
  return sidl_is_equal(check, a.real, b.real) && sidl_is_equal(check, a.imaginary, b.imaginary);
}

sidl_bool sidl_string_is_equal(const char* a, const char* b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}
