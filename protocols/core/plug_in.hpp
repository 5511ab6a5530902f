/**
 * What other libraries add to this one: transports, ways to authenticate. Each registers itself
 * under a name when its library is loaded, which happens when the name is first needed.
 */
#ifndef SHINAR_CORE_PLUG_IN_HPP
#define SHINAR_CORE_PLUG_IN_HPP

#include <atomic>
#include <string>
#include <string_view>

namespace shinar::wire {

/** All of one kind that have registered themselves, for good. */
template <class Kind>
class PlugIns {
 public:
  struct Known {
    std::string_view name;
    Kind& it;
    std::string_view release;  ///< whose headers it was compiled with
    const Known* next;

    bool fits() const { return release == SHINAR_TRANSPORT_RELEASE; }
    /** Why it does not: its tables are not those of this library. */
    std::string misfit() const {
      return "it was compiled for Shinar " + std::string(release) + ", and this is Shinar " +
             SHINAR_TRANSPORT_RELEASE + "; compile it anew";
    }
  };

  /** The latest first. */
  static const Known* first() { return list(); }
  static const Known* find(std::string_view name) {
    const Known* found = list();
    while (found != nullptr && found->name != name) found = found->next;
    return found;
  }
  static void add(std::string_view name, Kind& it, std::string_view release) {
    auto* const known = new Known{name, it, release, list()};
    while (!list().compare_exchange_weak(known->next, known)) continue;
  }

 private:
  /** It only grows, so it needs no lock. */
  static std::atomic<const Known*>& list() {
    static std::atomic<const Known*> first{nullptr};
    return first;
  }
};

/** What may be part of the name of a file that is loaded: lower-case letters and digits. */
bool is_plug_in_name(std::string_view name);

/** libsidlx_NAME.so, where the library lies that has this code. */
std::string plug_in_file(std::string_view name);
/** True if it is there. */
bool has_plug_in(const std::string& file);
/** Loads a library, which stays loaded. Returns why not, or nothing. */
std::string load_plug_in(const std::string& file);

/**
 * The plug-in of this name, whose library is loaded if it is not yet. `cannot(why)` makes the Error
 * that is thrown if there is none; `kind`: what it registers, "way to authenticate".
 */
template <class Kind, class Cannot>
Kind& loaded_plug_in(std::string_view name, const std::string& kind, const Cannot& cannot) {
  const auto* found = PlugIns<Kind>::find(name);
  if (found == nullptr) {
    const std::string file = plug_in_file(name);
    if (!has_plug_in(file)) {
      throw cannot("Shinar was built without what that needs: there is no " +
                   file.substr(file.rfind('/') + 1) + " beside libsidlx_simhandle.so");
    }
    const std::string failure = load_plug_in(file);
    if (!failure.empty()) throw cannot(file + " cannot be loaded: " + failure);
    found = PlugIns<Kind>::find(name);
  }
  if (found == nullptr) throw cannot("its library registers no such " + kind);
  if (!found->fits()) throw cannot(found->misfit());
  return found->it;
}

}  // namespace shinar::wire
#endif
