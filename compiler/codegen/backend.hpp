// In: a checked ir::Module and what the driver was asked for (client or server side).
// Out: the files a back end wants written, as path and content; a back end touches no disk.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/codes.hpp"
#include "ir/ir.hpp"

namespace shinar::codegen {

struct GeneratedFile {
  std::string path;  // relative to the output folder, '/' between folders
  std::string content;
  bool is_impl = false;  // goes to --impl-dir and keeps the code the user wrote in it
};

// An Impl file in which the user wrote outside of splicer marks, as it was.
struct Replaced {
  std::string path;  // as in GeneratedFile
  std::string text;
  std::size_t line = 0;  // the first that the new file does not have
};

// A class or method that had another name.
struct Rename {
  std::string from;
  std::string to;
};

// The Impl file that a renamed class has left behind.
struct OldImpl {
  std::string path;
  std::string text;
};

struct Request {
  const ir::Module& module;
  bool server = false;  // false: client
  // The classes to implement, by absolute name; empty: all of those that code is generated for.
  std::set<std::string, std::less<>> classes;
  // The text of an Impl file that is there already, so that its splicer blocks can be kept.
  std::function<std::optional<std::string>(const std::string& path)> read_impl;
  std::vector<Rename> renames = {};
  // The file that was in the place of the Impl file at `path` before its class was renamed.
  std::function<std::optional<OldImpl>(const std::string& path)> read_old_impl = {};

  // Is this a class for which skeletons and Impl files are wanted?
  bool implements(const ir::Type& type) const {
    const bool is_class = type.has_object() && type.object().kind() == ir::Object::CLASS;
    return server && is_class && (classes.empty() || classes.contains(type.name()));
  }
};

// What a back end has to say about a place of the input. No span: the type comes from elsewhere.
struct Problem {
  Code code;
  ir::Span span;
  std::string message;
};

struct Result {
  std::vector<GeneratedFile> files;
  std::vector<Replaced> replaced;
  std::vector<Problem> problems;
  std::vector<std::string> errors;  // not empty: nothing is written
  std::set<std::string> renamed;    // old names that stood in Impl files
};

// One way of turning the IR into text: "ior", "c", "cxx".
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view language() const = 0;
  // What to do instead of implementing classes in this language; empty if that can be done.
  virtual std::string_view instead_of_server() const { return {}; }
  virtual Result generate(const Request& request) const = 0;
};

}  // namespace shinar::codegen
