/**
 * A Landing in the caller's inout arrays, for those that the answer returns with the same type and
 * shape.
 *
 * Others become new arrays, and so do small ones, which are sent inline.
 */
#ifndef SHINAR_GLUE_ARRAY_LANDING_HPP
#define SHINAR_GLUE_ARRAY_LANDING_HPP

#include <memory>
#include <vector>

#include "core/decoder.hpp"
#include "core/landing.hpp"
#include "sidl_header.h"
#include "sidl_ior.h"

namespace shinar::wire {

class ArrayLanding final : public Landing {
 public:
  /**
   * For a call of the method with these arguments, as passed to sidl_rmi_invoke, which must stay
   * valid until revoke(). NULL if no array qualifies.
   */
  static std::shared_ptr<ArrayLanding> of(const sidl_method_info& method, void* const* args);

  ArrayLanding(const sidl_method_info& method, void* const* args) : method_(method), args_(args) {}

  /**
   * The array that received a segment, if it has this shape, with a reference for the caller; NULL
   * if there is none or it was taken. The caller's thread.
   */
  struct sidl__array* take(std::uint32_t segment, const ArrayShape& shape);

 private:
  void choose(Message& answer) override;
  void pass(Decoder& values, const sidl_type_ref& type, struct sidl__array* mine);
  void pass_reference(Decoder& values);
  void pass_array(Decoder& values, const sidl_type_ref& type, struct sidl__array* mine);

  const sidl_method_info& method_;
  void* const* const args_;
  std::vector<struct sidl__array*> landed_;  ///< by segment; NULL: none
};

}  // namespace shinar::wire
#endif
