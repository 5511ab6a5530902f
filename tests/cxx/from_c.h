/* The C++ classes as a C program sees them; each function returns NULL or what went wrong. */
#ifndef FROM_C_H
#define FROM_C_H
#ifdef __cplusplus
extern "C" {
#endif
const char* from_c_values(void);
const char* from_c_objects(void);
const char* from_c_renamed(void);
const char* from_c_exceptions(void);
#ifdef __cplusplus
}
#endif
#endif
