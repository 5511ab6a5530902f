/**
 * Who the other end of a connection is, and how that was proved.
 */
#ifndef SHINAR_CORE_IDENTITY_HPP
#define SHINAR_CORE_IDENTITY_HPP

#include <string>

namespace shinar::wire {

struct Identity {
  std::string name;   ///< of a certificate, a secret, a user; empty: nobody has proved anything
  std::string proof;  ///< "tls", "secret", "munge", "uid"; empty as well then

  /** True if it is one's own: many may have the same secret, or have proved nothing. */
  bool is_individual() const { return !name.empty() && proof != "secret"; }
};

}  // namespace shinar::wire
#endif
