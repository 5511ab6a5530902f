/**
 * sidl_settings.h: what the environment says of remote calls, in numbers (sidl_settings.def).
 *
 * A value that is not understood, or out of bounds, is as if it were not there; but nobody gets as
 * far as a remote call with one: sidl.rmi.ProtocolFactory throws what sidl_settings_check says.
 */
#ifndef SIDL_SETTINGS_H
#define SIDL_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "sidl_ior.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sidl_setting_unit {
  sidl_setting_count,
  sidl_setting_bytes, /**< may have a unit: k, M, G or T, of 1024 each */
  sidl_setting_milliseconds,
  sidl_setting_microseconds
};

struct sidl_setting_info {
  const char* name; /**< of the environment variable */
  uint64_t standard;
  uint64_t lowest;
  uint64_t highest;
  enum sidl_setting_unit unit;
  const char* option; /**< of `sidl serve`; NULL: none */
  const char* about;
};

/** Which one: sidl_setting_RMI_MEMORY is SIDL_RMI_MEMORY. */
enum sidl_setting {
#define SIDL_SETTING(name, standard, lowest, highest, unit, option, about) sidl_setting_##name,
#include "sidl_settings.def"
#undef SIDL_SETTING
  sidl_setting_number /**< of settings */
};

const struct sidl_setting_info* sidl_setting_get_info(enum sidl_setting setting);

/** What holds in this process: the environment's value, or the standard one. */
uint64_t sidl_setting_value(enum sidl_setting setting);

/**
 * Reads a value. FALSE if `text` is none within the bounds; then `complaint`, of 160 bytes at
 * least, says what it must be: "a number from 4096 to 1024, with a unit if you like (k, M, G, T)".
 */
sidl_bool sidl_setting_parse(enum sidl_setting setting, const char* text, uint64_t* value,
                             char* complaint, size_t complaint_size);

/** Sets *_ex if the environment has a value that is not understood; says which. */
void sidl_settings_check(struct sidl_BaseInterface__object** _ex);

#ifdef __cplusplus
}
#endif
#endif
