/** toml++, of which nothing is linked. */
#ifndef SHINAR_TRUST_TOML_HPP
#define SHINAR_TRUST_TOML_HPP

#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#endif
