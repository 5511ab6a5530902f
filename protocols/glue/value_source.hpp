/**
 * libsidl's source (sidl_marshal.h) over an Unpacker: where the values of calls come from that are
 * made or answered in one piece.
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
  /** The unpacker outlives it, and has begun when the first value is asked for. */
  explicit ValueSource(Unpacker& unpacker, ArrayLanding* landing = nullptr);
  ValueSource(const ValueSource&) = delete;
  ValueSource& operator=(const ValueSource&) = delete;
  ~ValueSource() {
    if (deserializer_) [[unlikely]]
      end_deserializer();
  }

  Unpacker& unpacker;
  ArrayLanding* const landing;  ///< of an answer; NULL: there is none

  /**
   * An object that unpacks by the same unpacker, for objects that travel by value. They may keep
   * it: it is of no use any more when the source has gone.
   */
  const sidlx::rmi::SimCall& deserializer();

 private:
  void end_deserializer();

  std::optional<sidlx::rmi::SimCall> deserializer_;  ///< made when it is wanted first
};

}  // namespace shinar::wire
#endif
