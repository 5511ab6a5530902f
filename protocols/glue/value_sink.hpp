/**
 * libsidl's sink (sidl_marshal.h) over a Packer: where the values of calls go that are made or
 * answered in one piece. The bytes are those that a Simvocation and a SimReturn write.
 */
#ifndef SHINAR_GLUE_VALUE_SINK_HPP
#define SHINAR_GLUE_VALUE_SINK_HPP

#include <optional>

#include "packer.hpp"
#include "sidl_marshal.h"
#include "sidlx_rmi_SimReturn.hxx"

namespace shinar::wire {

/** One thread at a time. */
class ValueSink : public sidl_sink {
 public:
  /** The packer outlives it, and has begun when the first value comes. */
  ValueSink(Packer& packer, Sharing sharing);
  ValueSink(const ValueSink&) = delete;
  ValueSink& operator=(const ValueSink&) = delete;
  ~ValueSink() {
    if (serializer_) [[unlikely]]
      end_serializer();
  }

  Packer& packer;
  const Sharing sharing;  ///< of arrays

  /**
   * An object that packs by the same packer, for objects that travel by value. They may keep it: it
   * is of no use any more when the sink has gone.
   */
  const sidlx::rmi::SimReturn& serializer();

 private:
  void end_serializer();

  std::optional<sidlx::rmi::SimReturn> serializer_;  ///< made when it is wanted first
};

}  // namespace shinar::wire
#endif
