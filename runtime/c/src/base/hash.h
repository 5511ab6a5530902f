/* hash.h: FNV-1a, 64 bit: the identity of type names. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t fnv1a(const char* text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text != '\0'; ++text) {
    hash ^= (unsigned char)*text;
    hash *= UINT64_C(0x100000001b3);
  }
  return hash;
}

#endif
