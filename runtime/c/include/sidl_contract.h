/**
 * sidl_contract.h: what the functions that check contracts are made of.
 *
 * sidlc writes them into <Type>_IOR.c of every class that has clauses, its own or inherited; nobody
 * else includes this. Each checks preconditions, calls the method, and checks what must hold then:
 *
 *     struct sidl_check _check[1];
 *     if (!sidl_check_begin(_check, self, &contract)) return unchecked->f_run(self, n, _ex);
 *     SIDL_CLAUSE(_check, contract, 0, n > 0);
 *     if (sidl_check_call(_check, &contract, _args, _ex)) {
 *       unchecked->f_run(self, n, _ex);
 *       if (sidl_check_result(_check, &contract, *_ex)) SIDL_CLAUSE(_check, contract, 1, …);
 *       if (sidl_check_object(_check)) …
 *       sidl_check_end(_check, &contract, _args, NULL, _ex);
 *     }
 *
 * Integers are computed in 64 bits, real numbers as double, complex ones as dcomplex. Whatever has
 * no result (an overflow, a division by zero, a comparison with NaN) violates the clause, and the
 * exception says so.
 */
#ifndef SIDL_CONTRACT_H
#define SIDL_CONTRACT_H

#include "sidlArray.h"
#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What is enforced from now on: "all", "pre", "post", "inv", "calls", "results", "simple", "linear"
 * or "none", then, after commas, how often and the number that belongs to it: "pre,periodic,100".
 * SIDL_CONTRACTS says the same for programs that say nothing. `source`: who says so, for messages.
 * Throws a PreViolation that says what is not understood; then nothing changes.
 */
void sidl_contracts_configure(const char* source, const char* text,
                              struct sidl_BaseInterface__object** _ex);

struct sidl_check;

/* ---- tables -------------------------------------------------------------------------------- */

/** What an assertion is, and what sidl.ContractClass chooses by; bits. */
enum sidl_clause_kind {
  sidl_clause_require = 1,
  sidl_clause_ensure = 2,
  sidl_clause_invariant = 4,
  sidl_clause_calls = 8,   /**< it calls methods */
  sidl_clause_result = 16, /**< it reads the result or what the method gives back */
  sidl_clause_simple = 32, /**< it neither calls anything nor looks at elements of arrays */
  /* What its time grows with, unless it calls methods: the array with the most dimensions whose
   * elements it looks at. */
  sidl_clause_constant = 64, /**< it looks at none */
  sidl_clause_linear = 128,
  sidl_clause_quadratic = 256,
  sidl_clause_cubic = 512,
  sidl_clause_quartic = 1024,
  sidl_clause_quintic = 2048,
  sidl_clause_sextic = 4096,
  sidl_clause_septic = 8192
};

/** An assertion of a contract. */
struct sidl_clause {
  const char* name;   /**< NULL: it has none */
  const char* text;   /**< as in SIDL: "n > 0" */
  const char* type;   /**< that declares it: "pkg.Type" */
  const char* source; /**< "pkg.sidl" */
  int32_t line;       /**< in that file */
  uint32_t kind;      /**< enum sidl_clause_kind */
  uint64_t reads;     /**< bit i: argument i; the highest one: the result */
  /** What the declaration calls the arguments, \"n,tol\"; NULL: as the method's table does. */
  const char* arguments;
};
#define SIDL_READS_RESULT (UINT64_C(1) << 63)

/** What was counted of a method, or of a clause; accessed atomically, for statistics and sampling.
 */
struct sidl_contract_state {
  uint64_t calls;       /**< of a clause: how often it might have been checked, while not always */
  uint64_t checks;      /**< of a method: 0 */
  uint64_t violations;  /**< of a method: 0 */
  uint64_t timed;       /**< checks, or calls of the method, whose time was taken */
  uint64_t nanoseconds; /**< that these took */
};

enum sidl_contract_flags {
  sidl_contract_invariants = 1, /**< the class has some, and the method is not static */
  sidl_contract_calls = 2       /**< clauses of the method call methods */
};

/** The contract of a method of a class, or, without a method, its invariants. */
struct sidl_contract {
  const char* type;                      /**< the class: "pkg.Type" */
  const char* name;                      /**< of the method in the class */
  const struct sidl_method_info* method; /**< its arguments */
  const struct sidl_clause* clauses;
  uint32_t clause_count;
  uint32_t flags;                     /**< enum sidl_contract_flags */
  struct sidl_contract_state* states; /**< of the method, then of each clause */
};

/** The contracts of a class. */
struct sidl_contracts {
  const void* epv;        /**< the functions that check; NULL where there is nothing to check */
  const void* static_epv; /**< likewise, or NULL */
  /** Where libsidl stores the EPVs of the implementation with the functions that do not check; the
   * second is NULL if no static method has clauses. */
  const void** unchecked;
  const void** unchecked_static;
  const struct sidl_contract* invariants;                         /**< NULL: it has none */
  void (*check_invariants)(void* self, struct sidl_check* check); /**< of that contract */
  const struct sidl_contract* const* all;                         /**< its contracts */
  uint32_t count;
};

/* ---- a call that is checked ----------------------------------------------------------------- */

struct sidl_check_owned;

/** What is to be done for a call that is checked: kinds of clauses (enum sidl_clause_kind), and: */
enum sidl_check_mode {
  sidl_check_sampled = 1 << 16, /**< each clause is asked for whether it is due */
  sidl_check_timed = 1 << 17,   /**< what methods and clauses take is measured */
  sidl_check_traced = 1 << 18,  /**< and written down */
  sidl_check_threw = 1 << 19,   /**< the method has thrown */
  sidl_check_quick = 1 << 20,   /**< nothing is counted before all clauses hold */
  sidl_check_kinds = sidl_check_sampled - 1
};

/** A call while it is checked; a local variable. */
struct sidl_check {
  const struct sidl_clause* violated;
  const char* why; /**< the clause has no value */
  uint32_t mode;

  /* Set unless the check is simple (sidl_check_is_simple). */
  const struct sidl_contract* contract;
  struct sidl_object* object;                 /**< NULL: the method is static */
  struct sidl_BaseInterface__object* thrown;  /**< by a method that a clause calls */
  struct sidl_BaseInterface__object* ignored; /**< thrown after that */
  struct sidl_check_owned* owned;             /**< what called methods returned */
  uint64_t began;     /**< the method, or the check of a clause; in nanoseconds */
  uint64_t checking;  /**< time this thread had spent checking when the method began */
  uint64_t stages[4]; /**< of a call that is traced: when its stages began */
};

/** Whether this thread evaluates a clause: what that calls is not checked. */
extern __thread char sidl_contract_evaluating __attribute__((tls_model("initial-exec")));
/**
 * What is to be checked, and how (enum sidl_check_mode), of objects and classes that nobody has
 * switched, and of those that somebody has switched on; 0: nothing. Read at each call.
 */
extern uint32_t sidl_contracts_usual;
extern uint32_t sidl_contracts_wanted;

/** Of an object or of static methods with these flags (enum sidl_enforcement). */
static inline uint32_t sidl_contracts_mode(int32_t flags) {
  if (__builtin_expect((flags & sidl_enforce_no_contracts) != 0, 0)) return 0;
  const uint32_t* const mode =
      (flags & sidl_enforce_contracts) != 0 ? &sidl_contracts_wanted : &sidl_contracts_usual;
  return __atomic_load_n(mode, __ATOMIC_RELAXED);
}

/** Of an object, or, for NULL, of static methods, which are called here only while they are
 * switched on. */
static inline uint32_t sidl_check_mode_of(const void* self) {
  if (__builtin_expect(sidl_contract_evaluating, 0)) return 0;
  return sidl_contracts_mode(
      self == NULL
          ? (int32_t)sidl_enforce_contracts
          : __atomic_load_n(&((const struct sidl_object*)self)->d_flags, __ATOMIC_RELAXED));
}
/** Cold: calls whose clauses are numbers alone, and hold, go without them. */
__attribute__((cold)) void sidl_check_begin_slowly(struct sidl_check* check, void* self,
                                                   const struct sidl_contract* contract);
__attribute__((cold)) sidl_bool sidl_check_call_slowly(struct sidl_check* check,
                                                       const struct sidl_contract* contract,
                                                       void* const* args,
                                                       struct sidl_BaseInterface__object** _ex);
__attribute__((cold)) void sidl_check_result_slowly(struct sidl_check* check);
__attribute__((cold)) void sidl_check_end_slowly(struct sidl_check* check,
                                                 const struct sidl_contract* contract,
                                                 void* const* args, void* result,
                                                 struct sidl_BaseInterface__object** _ex);

/** Calls of other threads at the same instant may get lost: nothing is locked. */
static inline void sidl_check_count(uint64_t* counter) {
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

/** Neither timed nor traced, nor with invariants, nor do its clauses call methods. */
static inline sidl_bool sidl_check_is_simple(const struct sidl_check* check,
                                             const struct sidl_contract* contract) {
  return contract->flags == 0 && (check->mode & (sidl_check_timed | sidl_check_traced)) == 0;
}

/** False: call the method and nothing else. */
static inline sidl_bool sidl_check_begin(struct sidl_check* check, void* self,
                                         const struct sidl_contract* contract) {
  const uint32_t mode = sidl_check_mode_of(self);
  if (__builtin_expect(mode == 0, 0)) return FALSE;
  check->violated = NULL;
  check->why = NULL;
  check->mode = mode;
  sidl_check_count(&contract->states[0].calls);
  if (!sidl_check_is_simple(check, contract)) sidl_check_begin_slowly(check, self, contract);
  return TRUE;
}
/** False: the method must not be called; `out` arguments are zero, and a PreViolation is thrown. */
static inline sidl_bool sidl_check_call(struct sidl_check* check,
                                        const struct sidl_contract* contract, void* const* args,
                                        struct sidl_BaseInterface__object** _ex) {
  if (sidl_check_is_simple(check, contract) && check->violated == NULL) return TRUE;
  return sidl_check_call_slowly(check, contract, args, _ex);
}
/** The method has ended. True if what it ensures is to be checked. */
static inline sidl_bool sidl_check_result(struct sidl_check* check,
                                          const struct sidl_contract* contract,
                                          struct sidl_BaseInterface__object* thrown) {
  if (thrown != NULL) check->mode |= sidl_check_threw;
  if (!sidl_check_is_simple(check, contract)) sidl_check_result_slowly(check);
  return thrown == NULL;
}
/** Throws if something was violated; then what the method has given back is released. */
static inline void sidl_check_end(struct sidl_check* check, const struct sidl_contract* contract,
                                  void* const* args, void* result,
                                  struct sidl_BaseInterface__object** _ex) {
  if (!sidl_check_is_simple(check, contract) || check->violated != NULL) {
    sidl_check_end_slowly(check, contract, args, result, _ex);
  }
}
/** True if invariants are to be checked: the object has no other method in work. */
sidl_bool sidl_check_object(struct sidl_check* check);
/** For a check that is sampled: whether this clause is to be checked this time. */
__attribute__((cold)) sidl_bool sidl_check_is_due(struct sidl_check* check,
                                                  const struct sidl_contract* contract,
                                                  uint32_t position);
__attribute__((cold)) void sidl_check_took(struct sidl_check* check,
                                           struct sidl_contract_state* state);

static inline sidl_bool sidl_check_wants(struct sidl_check* check,
                                         const struct sidl_contract* contract, uint32_t position) {
  return check->violated == NULL && (contract->clauses[position].kind & check->mode) != 0 &&
         ((check->mode & sidl_check_sampled) == 0 || sidl_check_is_due(check, contract, position));
}

static inline void sidl_check_settle(struct sidl_check* check, const struct sidl_contract* contract,
                                     uint32_t position, sidl_bool holds) {
  const sidl_bool counts = (check->mode & sidl_check_quick) == 0;
  struct sidl_contract_state* const state = &contract->states[position + 1];
  if (counts) sidl_check_count(&state->checks);
  if ((check->mode & sidl_check_timed) != 0) sidl_check_took(check, state);
  const sidl_bool has_value = contract->flags == 0 || check->thrown == NULL;
  if (__builtin_expect(holds && check->why == NULL && has_value, 1)) return;
  if (counts) sidl_check_count(&state->violations);
  check->violated = &contract->clauses[position];
}

/** Clause number `position` of `contract`; `holds` is evaluated if it is to be checked. */
#define SIDL_CLAUSE(check, contract, position, holds)               \
  do {                                                              \
    if (sidl_check_wants((check), &(contract), (position))) {       \
      sidl_check_settle((check), &(contract), (position), (holds)); \
    }                                                               \
  } while (0)

/*
 * Methods that have preconditions about numbers, and nothing else, are called through a function
 * that does no more than most calls need:
 *
 *     if (sidl_check_quickly(_check, self)) {
 *       SIDL_CLAUSE(_check, contract, 0, n > 0);
 *       if (sidl_check_passes(_check, &contract)) return unchecked->f_run(self, n, _ex);
 *     }
 *     checked_run(self, n, _ex);
 */

/** False: it is not for this call. */
static inline sidl_bool sidl_check_quickly(struct sidl_check* check, const void* self) {
  const uint32_t mode = sidl_check_mode_of(self);
  if (__builtin_expect(mode == 0 || mode > sidl_check_kinds, 0)) return FALSE;
  check->violated = NULL;
  check->why = NULL;
  check->mode = (mode & sidl_check_kinds) | sidl_check_quick;
  return TRUE;
}
/** False: something does not hold, and has not been counted. */
static inline sidl_bool sidl_check_passes(const struct sidl_check* check,
                                          const struct sidl_contract* contract) {
  if (__builtin_expect(check->violated != NULL, 0)) return FALSE;
  sidl_check_count(&contract->states[0].calls);
  for (uint32_t i = 0; i < contract->clause_count; ++i) {
    if ((contract->clauses[i].kind & check->mode) != 0) {
      sidl_check_count(&contract->states[i + 1].checks);
    }
  }
  return TRUE;
}

/* ---- calls of methods within a clause ---------------------------------------------------------
 */

/** Where a called method stores its exception. */
struct sidl_BaseInterface__object** sidl_check_ex(struct sidl_check* check);
/** What a called method has returned, and is released at the end. */
const char* sidl_check_string(struct sidl_check* check, char* string);
void* sidl_check_array(struct sidl_check* check, void* array);
void* sidl_check_object_result(struct sidl_check* check, void* object);
/** The object as a type that it is of. */
void* sidl_check_cast(struct sidl_check* check, void* object, const struct sidl_type_info* type);

/* ---- integers -------------------------------------------------------------------------------- */

static inline int64_t sidl_check_fault(struct sidl_check* check, const char* why) {
  if (check->why == NULL) check->why = why;
  return 0;
}

static inline int64_t sidl_add(struct sidl_check* check, int64_t a, int64_t b) {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? sidl_check_fault(check, "an integer overflows")
                                               : result;
}

static inline int64_t sidl_subtract(struct sidl_check* check, int64_t a, int64_t b) {
  int64_t result;
  return __builtin_sub_overflow(a, b, &result) ? sidl_check_fault(check, "an integer overflows")
                                               : result;
}

static inline int64_t sidl_multiply(struct sidl_check* check, int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? sidl_check_fault(check, "an integer overflows")
                                               : result;
}

static inline int64_t sidl_divide(struct sidl_check* check, int64_t a, int64_t b) {
  if (b == 0) return sidl_check_fault(check, "an integer is divided by zero");
  return b == -1 ? sidl_subtract(check, 0, a) : a / b;
}

static inline int64_t sidl_modulo(struct sidl_check* check, int64_t a, int64_t b) {
  if (b == 0) return sidl_check_fault(check, "an integer is divided by zero");
  return b == -1 ? 0 : a % b;
}

int64_t sidl_power(struct sidl_check* check, int64_t base, int64_t exponent);

/** As C shifts an int (32 bits) or a long (64). */
static inline int64_t sidl_shift(struct sidl_check* check, int64_t value, int64_t count, int bits,
                                 sidl_bool left) {
  if (count < 0 || count >= bits) return sidl_check_fault(check, "a shift is too long");
  if (!left) return value >> count;
  const int64_t shifted = (int64_t)((uint64_t)value << count);
  return bits == 32 ? (int32_t)shifted : shifted;
}

/* ---- real numbers -----------------------------------------------------------------------------
 */

static inline void sidl_check_order(struct sidl_check* check, double a, double b) {
  if (__builtin_isunordered(a, b)) sidl_check_fault(check, "a number is NaN");
}

static inline sidl_bool sidl_is_less(struct sidl_check* check, double a, double b) {
  sidl_check_order(check, a, b);
  return a < b;
}

static inline sidl_bool sidl_is_less_equal(struct sidl_check* check, double a, double b) {
  sidl_check_order(check, a, b);
  return a <= b;
}

static inline sidl_bool sidl_is_greater(struct sidl_check* check, double a, double b) {
  sidl_check_order(check, a, b);
  return a > b;
}

static inline sidl_bool sidl_is_greater_equal(struct sidl_check* check, double a, double b) {
  sidl_check_order(check, a, b);
  return a >= b;
}

static inline sidl_bool sidl_is_equal(struct sidl_check* check, double a, double b) {
  sidl_check_order(check, a, b);
  return a == b;
}

static inline sidl_bool sidl_is_not_equal(struct sidl_check* check, double a, double b) {
  sidl_check_order(check, a, b);
  return a != b;
}

double sidl_real_power(double base, double exponent);

/* ---- complex numbers --------------------------------------------------------------------------
 */

static inline struct sidl_dcomplex sidl_complex(double real, double imaginary) {
  const struct sidl_dcomplex result = {real, imaginary};
  return result;
}
static inline struct sidl_dcomplex sidl_widened(struct sidl_fcomplex z) {
  return sidl_complex(z.real, z.imaginary);
}
static inline struct sidl_fcomplex sidl_narrowed(struct sidl_dcomplex z) {
  const struct sidl_fcomplex result = {(float)z.real, (float)z.imaginary};
  return result;
}
struct sidl_dcomplex sidl_complex_add(struct sidl_dcomplex a, struct sidl_dcomplex b);
struct sidl_dcomplex sidl_complex_subtract(struct sidl_dcomplex a, struct sidl_dcomplex b);
struct sidl_dcomplex sidl_complex_multiply(struct sidl_dcomplex a, struct sidl_dcomplex b);
struct sidl_dcomplex sidl_complex_divide(struct sidl_dcomplex a, struct sidl_dcomplex b);
struct sidl_dcomplex sidl_complex_power(struct sidl_dcomplex a, struct sidl_dcomplex b);
sidl_bool sidl_complex_is_equal(struct sidl_check* check, struct sidl_dcomplex a,
                                struct sidl_dcomplex b);

/* ---- chars and strings ------------------------------------------------------------------------
 */

/** Whether char has a sign is up to the machine; clauses compare bytes. */
static inline int sidl_byte(char c) {
  return (unsigned char)c;
}

/** Null strings are equal to each other and to no other one. */
sidl_bool sidl_string_is_equal(const char* a, const char* b);

/* ---- the built-in functions of contracts --------------------------------------------------------
 */

/** A number, or an array of numbers; a null array has no elements. */
struct sidl_operand {
  int32_t kind; /**< sidl_kind_long, _double, _dcomplex, or _array */
  const struct sidl__array* array;
  int64_t integer;
  struct sidl_dcomplex number; /**< its real part, of a real one */
};

static inline struct sidl_operand sidl_of_array(const void* array) {
  const struct sidl_operand result = {sidl_kind_array, (const struct sidl__array*)array, 0, {0, 0}};
  return result;
}
static inline struct sidl_operand sidl_of_integer(int64_t value) {
  const struct sidl_operand result = {sidl_kind_long, NULL, value, {0, 0}};
  return result;
}
static inline struct sidl_operand sidl_of_real(double value) {
  const struct sidl_operand result = {sidl_kind_double, NULL, 0, {value, 0}};
  return result;
}
static inline struct sidl_operand sidl_of_complex(struct sidl_dcomplex value) {
  const struct sidl_operand result = {sidl_kind_dcomplex, NULL, 0, value};
  return result;
}

enum sidl_relation {
  sidl_relation_less,
  sidl_relation_less_equal,
  sidl_relation_greater,
  sidl_relation_greater_equal,
  sidl_relation_equal,
  sidl_relation_not_equal
};

/**
 * Relations element by element; two arrays must have the same shape. An element that is NaN fulfils
 * none but "not equal"; a number that is NaN is a fault. Of no elements `all` is true and `any` is
 * not.
 */
sidl_bool sidl_all(struct sidl_check* check, struct sidl_operand a, enum sidl_relation relation,
                   struct sidl_operand b);
sidl_bool sidl_any(struct sidl_check* check, struct sidl_operand a, enum sidl_relation relation,
                   struct sidl_operand b);
int64_t sidl_count(struct sidl_check* check, struct sidl_operand a, enum sidl_relation relation,
                   struct sidl_operand b);

int64_t sidl_dimen(const void* array);
int64_t sidl_size(const void* array);
int64_t sidl_lower(struct sidl_check* check, const void* array, int64_t dimension);
int64_t sidl_upper(struct sidl_check* check, const void* array, int64_t dimension);
int64_t sidl_stride(struct sidl_check* check, const void* array, int64_t dimension);

/** Of no elements there is no extreme: a fault; the sum is 0. */
int64_t sidl_least_integer(struct sidl_check* check, const void* array);
int64_t sidl_greatest_integer(struct sidl_check* check, const void* array);
int64_t sidl_sum_of_integers(struct sidl_check* check, const void* array);
double sidl_least(struct sidl_check* check, const void* array);
double sidl_greatest(struct sidl_check* check, const void* array);
double sidl_sum(struct sidl_check* check, const void* array);
struct sidl_dcomplex sidl_complex_sum(struct sidl_check* check, const void* array);

/** From element to element, the first index changing fastest. */
sidl_bool sidl_does_not_decrease(struct sidl_check* check, const void* array);
sidl_bool sidl_does_not_increase(struct sidl_check* check, const void* array);

/** low - tolerance <= x <= high + tolerance, for all elements. */
sidl_bool sidl_in_range(struct sidl_check* check, struct sidl_operand x, double low, double high,
                        double tolerance);
sidl_bool sidl_in_integer_range(struct sidl_check* check, struct sidl_operand x, int64_t low,
                                int64_t high);
/** |x - y| <= tolerance, for all elements. */
sidl_bool sidl_is_near(struct sidl_check* check, struct sidl_operand x, struct sidl_operand y,
                       double tolerance);

#ifdef __cplusplus
}
#endif
#endif
