/**
 * The object references that a message carries, from when it is read until it is unpacked.
 *
 * The receiver of a message owns its references: objects of this process are pinned, so that no
 * release read later destroys them, and references to the sender's objects that are not taken over
 * are released with the message, however it ends. One thread at a time.
 */
#ifndef SHINAR_CORE_CARGO_HPP
#define SHINAR_CORE_CARGO_HPP

#include <memory>
#include <string>
#include <vector>

#include "account.hpp"
#include "forking.hpp"
#include "message.hpp"
#include "pin.hpp"

namespace shinar::wire {

class Callee;
class Host;

class Cargo {
 public:
  /** Whether the message carries references, according to its header. */
  static bool is_in(const Message& message) {
    return (message.header.flags & flag_references) != 0;
  }
  /**
   * Collects the references of a message that was just read, if its header announces any. `host`:
   * the objects of this process; NULL if there are none. Throws Error if the list is malformed.
   */
  static void unload(Message& message, Host* host, const std::shared_ptr<Callee>& sender);

  Cargo(const Cargo&) = delete;
  Cargo& operator=(const Cargo&) = delete;
  /**
   * Releases what was not taken, which may send releases and run destructors. In a forked child it
   * does nothing: the references are the parent's.
   */
  ~Cargo();

  /**
   * Moves out the pin of the object of this process referred to at this offset of the body; false
   * if there is no such reference.
   */
  bool take_home(std::size_t place, Pin& object);
  /**
   * Nobody waits for the message, and all its references are given back: the sender's account pays
   * for that. Before the message counts as read. Throws Error.
   */
  void pay_for_return();
  /** Takes over the reference to the sender's object at this offset of the body. */
  void take_over(std::size_t place);

 private:
  struct Item {
    std::size_t place;
    bool is_home;  ///< an object of this process
    bool taken;
    Pin object;      ///< if is_home; NULL: no such object here
    std::string id;  ///< else
  };

  Cargo() = default;
  void read(Message& message, Host* host);
  void disown() noexcept;
  Item* find(std::size_t place, bool is_home);

  const Generation generation_{};
  std::shared_ptr<Callee> sender_;
  std::vector<Item> items_;
  Charge paid_;
};

}  // namespace shinar::wire
#endif
