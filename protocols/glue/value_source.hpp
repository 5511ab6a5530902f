/**
 * libsidl's source (sidl_marshal.h) over an Unpacker, for calls that are made or answered as a
 * whole.
 */
#ifndef SHINAR_GLUE_VALUE_SOURCE_HPP
#define SHINAR_GLUE_VALUE_SOURCE_HPP

#include <optional>

#include "sidl_marshal.h"
#include "sidlx_rmi_SimCall.hxx"
#include "unpacker.hpp"

namespace shinar::wire {

/** One thread at a time. */
class ValueSource : public sidl_source {
 public:
  /** The unpacker must outlive it, and must have begun before the first value. */
  explicit ValueSource(Unpacker& unpacker, ArrayLanding* landing = nullptr);
  ValueSource(const ValueSource&) = delete;
  ValueSource& operator=(const ValueSource&) = delete;
  ~ValueSource() {
    if (deserializer_) [[unlikely]]
      end_deserializer();
  }

  Unpacker& unpacker;
  ArrayLanding* const landing;  ///< of an answer; NULL: none

  /**
   * A deserializer over the same unpacker, for objects passed by value. If they keep it, it fails
   * once the source is destroyed.
   */
  const sidlx::rmi::SimCall& deserializer();

 private:
  void end_deserializer();

  std::optional<sidlx::rmi::SimCall> deserializer_;  ///< made on first use
};

}  // namespace shinar::wire
#endif
