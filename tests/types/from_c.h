/*
 * The tests of the C binding. Each takes an object of a class that is implemented in C or in C++,
 * and returns NULL or what went wrong.
 */
#ifndef FROM_C_H
#define FROM_C_H

#define REQUIRE(condition)               \
  do {                                   \
    if (!(condition)) return #condition; \
  } while (0)

#ifdef __cplusplus
extern "C" {
#endif
const char* from_c_orders(void* object);
const char* from_c_calls(void* object);
const char* from_c_halves(void* object);
const char* from_c_objects(void* object);
const char* from_c_raws(void* object);
const char* from_c_structs(void* object);
#ifdef __cplusplus
}
#endif
#endif
