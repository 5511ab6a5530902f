/**
 * libsidl's sink (sidl_marshal.h) over a Packer, for calls that are made or answered as a whole.
 * Writes the same bytes as a Simvocation and a SimReturn.
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
  /** The packer must outlive it, and must have begun before the first value. */
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
   * A serializer over the same packer, for objects passed by value. If they keep it, it fails once
   * the sink is destroyed.
   */
  const sidlx::rmi::SimReturn& serializer();

 private:
  void end_serializer();

  std::optional<sidlx::rmi::SimReturn> serializer_;  ///< made on first use
};

}  // namespace shinar::wire
#endif
