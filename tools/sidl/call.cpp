#include "call.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "checks.hpp"
#include "near.hpp"
#include "pack_value.hpp"
#include "pretty.hpp"
#include "printable.hpp"
#include "publish.hpp"
#include "scalars.hpp"
#include "server_view.hpp"
#include "sidl_ClassInfo.hxx"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_Invocation.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Response.hxx"
#include "unpack_value.hpp"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;
using sidl::rmi::InstanceHandle;
using sidl::rmi::ProtocolFactory;

/** The key of the result, which cannot be the name of an argument. */
constexpr const char* result_key = "_retval";

constexpr const char* call_footer = R"(
Everything after METHOD is an argument, even if it begins with a dash.

Arguments are the values of the in and inout parameters, in order:
  bool              true, false
  int, long         42, -7, 0x2a
  float, double     1.5, -2e9, inf, nan
  fcomplex,dcomplex 1.5,-2 (real and imaginary part)
  char, string      plain text
  enum              the name of an enumerator, or a number
  struct            JSON: '{"x": 1.5, "label": "a"}', with all members
  array             JSON: '[1, 2, 3]', nested for more dimensions, null for none;
                    '{"lower": [1], "order": "column-major", "data": [1, 2, 3]}'
  array of structs  JSON: '[{"x": 1.5, "label": "a"}]'
  array<>           JSON: '{"type": "double", "data": [1, 2, 3]}'
  object            the URL of an object, or null
  @FILE             the contents of FILE; write @@text for the text "@text"
  -                 the contents of standard input

Prints one JSON document: {"result": ..., "out": {"name": ...}}.
Use the long name of an overloaded method: readInt for read[Int]. If several
interfaces have a method of the same name, qualify it: pkg.Meter.read.

Exit status: 0 the method returned, 1 the method threw an exception or could not
be called, 2 invalid command line.

Examples:
  sidl call simhandle://127.0.0.1:4711/box add 2 3
  sidl call --create demo.Solver simhandle://127.0.0.1:4711 solve one '[[1, 0], [0, 1]]')";

// ---- finding object and method ------------------------------------------------------------------

bool goes_in(const Argument& argument) {
  return argument.mode != sidl_mode_out;
}

bool comes_out(const Argument& argument) {
  return argument.mode != sidl_mode_in;
}

std::string type_name_of(const ServerView& server, const CallOptions& options,
                         const InstanceHandle& handle) {
  if (handle._not_nil()) return handle.getTypeName();
  const std::vector<std::string> classes = server.classes();
  if (std::find(classes.begin(), classes.end(), options.create) == classes.end()) {
    throw UsageError("this server does not export class '" + options.create + "'" +
                     did_you_mean(options.create, classes));
  }
  return options.create;
}

/** The object that the URL names; none if one is to be created. */
InstanceHandle connect(const ServerView& server, const CallOptions& options) {
  if (!options.create.empty() && names_object(options.url)) {
    throw UsageError("--create needs the URL of a server, and '" + options.url +
                     "' names an object");
  }
  if (!options.create.empty()) return {};
  if (names_object(options.url)) {
    return ProtocolFactory::connectInstance(options.url, "sidl.BaseInterface", true);
  }
  std::string names;
  const json description = server.description();
  in_answer(own_description, [&] {
    for (const json& each : list_in(description, "published")) {
      names += (names.empty() ? "" : ", ") + text_in(each, "name");
    }
  });
  throw UsageError("'" + options.url +
                   "' names a server: specify one of its objects, or --create " +
                   "CLASS; it publishes " + (names.empty() ? "no object" : names));
}

/** Reports a missing or ambiguous method. */
[[noreturn]] void refuse_method(const std::string& what, const std::vector<const Method*>& shown) {
  std::string text = what;
  for (const Method* each : shown) text += "\n  " + each->signature();
  throw UsageError(text);
}

[[noreturn]] void refuse_unknown(const TypeInfo& type, const std::string& name) {
  std::vector<std::string> names;
  std::vector<const Method*> all;
  std::vector<const Method*> meant;
  for (const Method& each : type.methods) {
    if (each.from == "sidl.BaseInterface") continue;
    names.push_back(each.name);
    all.push_back(&each);
    if (!did_you_mean(name, {each.name}).empty()) meant.push_back(&each);
  }
  refuse_method(type.name + " has no method '" + name + "'" + did_you_mean(name, names),
                meant.empty() ? all : meant);
}

/**
 * Finds it by long name, or by "pkg.Interface.name" if several interfaces have one of this name.
 */
const Method& find_method(const TypeInfo& type, const std::string& name) {
  std::vector<const Method*> found;
  for (const Method& each : type.methods) {
    if (each.name == name || each.from + "." + each.name == name) found.push_back(&each);
  }
  if (found.empty()) refuse_unknown(type, name);
  if (found.size() > 1) {
    std::string choice;
    for (const Method* each : found) choice += " " + each->from + "." + each->name;
    refuse_method("method '" + name + "' is ambiguous; specify one of:" + choice, found);
  }
  if (found.front()->call != "object") {
    throw UsageError(type.name + "." + name + " is " + found.front()->call +
                     ": it cannot be called from another process");
  }
  return *found.front();
}

// ---- arguments
// -----------------------------------------------------------------------------------

/** `name`: "the file 'values.json'". */
[[noreturn]] void refuse_unreadable(const std::string& name) {
  const std::string reason = std::strerror(errno);
  throw UsageError("cannot read " + name + ": " + reason);
}

/** Reads to the end; limited, as some files have none. */
std::string contents(int fd, const std::string& name) {
  constexpr std::size_t most = std::size_t{128} << 20;  // as sidlc's limit for a file
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  while (text.size() <= most) {
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got == 0) return text;
    if (got < 0 && errno != EINTR) refuse_unreadable(name);
    if (got > 0) text.append(piece.data(), static_cast<std::size_t>(got));
  }
  throw UsageError(name + " is larger than " + std::to_string(most >> 20) +
                   " MiB, the limit for an argument of sidl call");
}

/** Expands "-" and "@file" words of the command line. */
std::string read_word(const std::string& word) {
  if (word == "-") return contents(STDIN_FILENO, "standard input");
  if (word.empty() || word[0] != '@') return word;
  if (word.rfind("@@", 0) == 0) return word.substr(1);
  const std::string path = word.substr(1);
  const std::string name = "the file '" + path + "'";
  const auto close = [](const int* fd) { ::close(*fd); };
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) refuse_unreadable(name);
  const std::unique_ptr<const int, decltype(close)> closed(&fd, close);
  return contents(fd, name);
}

json read_value(const Type& type, const std::string& word, const std::string& where) {
  const std::string text = read_word(word);
  if (type.kind != sidl_kind_struct && type.kind != sidl_kind_array) {
    return scalar_from_text(type, text, where);
  }
  constexpr int deepest = 1024;  // more than objects and arrays that libsidl takes
  try {
    return parse_json(text, deepest);
  } catch (const std::runtime_error& error) {
    throw UsageError(where + ": a value of type " + type.text() + " must be JSON; " + error.what());
  }
}

/** The values of the in and inout arguments, of the right number but not yet of the right types. */
std::vector<json> read_values(const Method& method, const std::vector<std::string>& words) {
  std::vector<json> values;
  std::size_t word = 1;
  const auto wanted = static_cast<std::size_t>(
      std::count_if(method.arguments.begin(), method.arguments.end(), goes_in));
  if (words.size() - 1 != wanted) {
    throw UsageError(method.name + " takes " + std::to_string(wanted) + " argument" +
                     (wanted == 1 ? "" : "s") + ", not " + std::to_string(words.size() - 1));
  }
  for (const Argument& each : method.arguments) {
    if (!goes_in(each)) continue;
    values.push_back(read_value(each.type, words[word++], "argument '" + each.name + "'"));
  }
  return values;
}

void pack(const sidl::rmi::Invocation& invocation, const TypeInfo& type, const Method& method,
          const std::vector<json>& values) {
  auto value = values.begin();
  for (const Argument& each : method.arguments) {
    if (!goes_in(each)) continue;
    pack_value(invocation, type, each.name, each.type, *value++, "argument '" + each.name + "'");
  }
}

/** Prepares the call with its arguments; creates the object only once these are valid. */
sidl::rmi::Invocation prepare(const CallOptions& options, InstanceHandle& handle,
                              const TypeInfo& type, const Method& method) {
  try {
    const std::vector<json> values = read_values(method, options.words);
    if (handle._is_nil()) {
      handle = ProtocolFactory::createInstance(server_part(options.url), options.create);
    }
    sidl::rmi::Invocation invocation = handle.createInvocation(method.name, method.digest);
    if (options.timeout > 0) invocation.setDeadline(milliseconds(options.timeout));
    pack(invocation, type, method, values);
    return invocation;
  } catch (const UsageError& error) {
    throw UsageError(std::string(error.what()) + "\n  " + method.signature());
  }
}

// ---- answers
// -------------------------------------------------------------------------------------

json unpack(const sidl::rmi::Response& response, const TypeInfo& type, const Method& method,
            std::vector<sidl::BaseInterface>& objects) {
  json answer = json::object();
  if (method.result.kind != sidl_kind_void) {
    answer["result"] = unpack_value(response, type, result_key, method.result, objects);
  }
  for (const Argument& each : method.arguments) {
    if (!comes_out(each)) continue;
    answer["out"][each.name] = unpack_value(response, type, each.name, each.type, objects);
  }
  return answer;
}

void print(const sidl::BaseException& exception) {
  const std::string type = exception.getClassInfo().getName();
  std::fprintf(stderr, "%s: %s\n", in_one_line(type).c_str(),
               indented(exception.getNote()).c_str());
  std::string trace = printable(exception.getTrace());
  for (std::size_t end = 0; !trace.empty(); trace.erase(0, end)) {
    end = std::min(trace.find('\n'), trace.size() - 1) + 1;
    std::fprintf(stderr, "  %.*s\n", static_cast<int>(trace.find_last_not_of('\n', end - 1) + 1),
                 trace.c_str());
  }
}

/** Keeps the objects of the answer alive until the program is interrupted. */
void wait_for_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  int signal = 0;
  sigwait(&signals, &signal);
}

int call_method(const CallOptions& options) {
  const ServerView server(options.url);
  InstanceHandle handle = connect(server, options);
  const TypeInfo type = server.type(type_name_of(server, options, handle));
  const Method& method = find_method(type, options.words.front());
  const sidl::rmi::Invocation invocation = prepare(options, handle, type, method);
  const sidl::rmi::Response response = invocation.invokeMethod();
  const sidl::BaseException thrown = response.getExceptionThrown();
  if (thrown._not_nil()) {
    print(thrown);
    return 1;
  }
  std::vector<sidl::BaseInterface> objects;
  const json answer = unpack(response, type, method, objects);
  std::printf("%s\n", (options.compact ? compact(answer) : pretty(answer)).c_str());
  std::fflush(stdout);
  if (options.hold) wait_for_signal();
  return 0;
}

/** Shows the arguments after the URL, which CLI11 does not know. */
class CallFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: sidl call [OPTIONS] URL METHOD [ARGUMENT...]\n";
  }
};

}  // namespace

CLI::App* add_call(CLI::App& app, CallOptions& options) {
  CLI::App* const command =
      app.add_subcommand("call", "Call a method of an object and print the results");
  command->add_option("URL", options.url, "Object to call, or with --create, a server")
      ->type_name("")
      ->required();
  command->add_option("--create", options.create, "Create an object of this class for the call")
      ->type_name("pkg.Class");
  command->add_option("--timeout", options.timeout, "How long to wait for the answer")
      ->type_name("SECONDS")
      ->check(positive());
  command
      ->add_option("--lib", options.libraries,
                   "Library with classes of objects that arrive by value; repeatable")
      ->type_name("LIBRARY")
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--compact", options.compact, "Print the answer on one line");
  command->add_flag("--hold", options.hold,
                    "Keep the objects of the answer alive until the program is interrupted");
  command->formatter(std::make_shared<CallFormatter>());
  command->prefix_command();  // an argument may look like an option: -5
  command->footer(call_footer);
  command->callback([command, &options] { options.words = command->remaining(); });
  return command;
}

int call(const CallOptions& options) {
  for (const std::string& each : options.libraries) load_library(each);
  if (options.words.empty()) {
    throw UsageError("missing METHOD: sidl call URL METHOD [ARGUMENT...]; sidl inspect URL " +
                     std::string("lists the methods"));
  }
  set_deadline(options.timeout);
  try {
    return with_answers_of(options.url, [&] { return call_method(options); });
  } catch (const sidl::BaseException& exception) {
    print(exception);
    return 1;
  }
}

}  // namespace sidl_tool
