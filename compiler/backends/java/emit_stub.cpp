// What callers call: a method in Java, the native method under it, and its variants.
#include <algorithm>

#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::java {
namespace {

using codegen::join;
using codegen::Printer;

std::string async_name(const MethodModel& method) {
  return method.name + "Async";
}

std::string access(const MethodModel& method) {
  return method.is_static ? "public static " : "public ";
}

// "int a, long b": of the native method of a quick stub, after the object.
std::string native_parameters(const MethodModel& method) {
  std::vector<std::string> all;
  if (!method.is_static) all.emplace_back("long _cell");
  for (const ArgumentModel& argument : method.arguments) {
    all.push_back(Spelling::native(argument.type) + " " + argument.name);
  }
  return join(all);
}

void emit_quick_body(Printer& printer, const MethodModel& method, Spelling& spelling) {
  std::vector<std::string> values;
  if (!method.is_static) values.emplace_back("_cell");
  for (const ArgumentModel& argument : method.arguments) {
    values.push_back(spelling.to_native(argument.type, argument.name, argument.sidl_name));
  }
  const std::string call = method.native_name() + "(" + join(values) + ")";
  printer.line((method.returns() ? "return " + spelling.from_native(method.result, call) : call) +
               ";");
}

void emit_argument(Printer& printer, const ArgumentModel& argument, Spelling& spelling) {
  const bool has_value = argument.mode != ir::Argument::OUT;
  if (argument.is_holder && !has_value) {
    printer.line(spelling.binding("Values") + ".require(" + argument.name + ", \"" +
                 argument.sidl_name + "\");");
    return;
  }
  if (argument.is_holder) {
    const std::string value = spelling.held(argument.type, argument.name, argument.sidl_name);
    printer.line(spelling.give(argument.type, argument.at(), value, argument.sidl_name));
    return;
  }
  printer.line(spelling.put(argument.type, argument.at(), argument.name, argument.sidl_name));
}

void emit_result(Printer& printer, const ArgumentModel& argument, Spelling& spelling) {
  if (!argument.is_holder) return;
  const bool may_stay =
      argument.mode == ir::Argument::INOUT && (is_object(argument.type) || is_array(argument.type));
  printer.line(
      argument.name + ".set(" +
      spelling.take(argument.type, argument.at(), may_stay ? argument.name + ".get()" : "") + ");");
}

void emit_framed_body(Printer& printer, const MethodModel& method, Spelling& spelling) {
  const auto arguments = [&] {
    for (const ArgumentModel& each : method.arguments) emit_argument(printer, each, spelling);
  };
  const auto results = [&] {
    const bool returns = method.returns();
    if (returns) {
      printer.line("final " + spelling.type(method.result) + " _result = " +
                   spelling.take(method.result, std::to_string(method.result_slot)) + ";");
    }
    for (const ArgumentModel& each : method.arguments) emit_result(printer, each, spelling);
    printer.line("_f.done();");
    if (returns) printer.line("return _result;");
  };
  printer.emit({{"frame", spelling.binding("Frame")},
                {"local", java_name(method.type->local_name())},
                {"number", std::to_string(method.number())},
                {"size", std::to_string(method.frame_size)},
                {"arguments", arguments},
                {"native", method.native_name()},
                {"self", method.is_static ? "" : "_cell, "},
                {"results", results}},
               R"(
    final $frame$ _f = $frame$.enter($local$._type, $number$, $size$);
    try {
      $arguments$
      $native$($self$_f.address());
      $results$
    } finally {
      _f.leave();
    }
  )");
}

// The same method for callers that do not wait for its answer.
void emit_async(Printer& printer, const MethodModel& method, Spelling& spelling, bool is_override) {
  if (!method.is_nonblocking) return;
  const std::string result = spelling.boxed(method.result);
  const auto doc = [&] {
    if (is_override && !method.is_static) {
      printer.line("@" + spelling.lang("Override"));
      return;
    }
    ir::Method described = *method.method;
    described.set_doc("Begins `" + method.slot +
                      "`. Holders have their values when its future ends.");
    MethodModel model = method;
    model.method = &described;
    model.throws.clear();
    emit_javadoc(printer, model, spelling);
  };
  const auto arguments = [&] {
    for (const ArgumentModel& each : method.arguments) {
      if (each.in_place) {
        printer.line("_f.putInPlace(" + each.at() + ", " + each.name + ");");
      } else {
        emit_argument(printer, each, spelling);
      }
    }
  };
  const auto results = [&] {
    if (method.returns()) {
      printer.line("final " + result + " _result = " +
                   spelling.take(method.result, std::to_string(method.result_slot)) + ";");
    }
    for (const ArgumentModel& each : method.arguments) emit_result(printer, each, spelling);
    printer.line("_f.done();");
    printer.line(method.returns() ? "return _result;" : "return null;");
  };
  printer.emit({{"doc", doc},
                {"access", access(method)},
                {"future", "java.util.concurrent.CompletableFuture<" + result + ">"},
                {"name", async_name(method)},
                {"parameters", parameters_of(method, spelling)},
                {"frame", spelling.binding("Frame")},
                {"local", java_name(method.type->local_name())},
                {"number", std::to_string(method.number())},
                {"size", std::to_string(method.frame_size)},
                {"arguments", arguments},
                {"pending", spelling.binding("Pending")},
                {"self", method.is_static ? "null" : "_handle()"},
                {"results", results},
                {"throwable", spelling.lang("Throwable")}},
               R"(

    $doc$
    $access$$future$ $name$($parameters$) {
      final $frame$ _f = $frame$.apart($local$._type, $number$, $size$);
      try {
        $arguments$
      } catch ($throwable$ _failure) {
        _f.release();
        throw _failure;
      }
      return $pending$.send(_f, $self$, () -> {
        $results$
      });
    }
  )");
}

}  // namespace

void emit_short_overload(Printer& printer, const MethodModel& method, Spelling& spelling) {
  if (method.indices.empty()) return;
  std::vector<std::string> values;
  for (std::size_t i = 0; i < method.arguments.size(); ++i) {
    const auto index = std::ranges::find(method.indices, i, &IndexModel::argument);
    const ArgumentModel& argument = method.arguments[i];
    if (index == method.indices.end()) {
      values.push_back(argument.name);
      continue;
    }
    const codegen::IndexSource& source = index->source;
    const ArgumentModel& array = method.arguments[static_cast<std::size_t>(source.array)];
    const bool is_long = argument.type.kind() == ir::TypeRef::LONG;
    values.push_back(spelling.binding("Values") + (is_long ? ".index(" : ".intIndex(") +
                     spelling.binding("Values") + ".ranked(" + array.name + ", " +
                     std::to_string(array.type.dimension()) + ", \"" + array.sidl_name + "\"), " +
                     std::to_string(source.dimension) + ", " +
                     std::to_string(source.length.factor) + ", " +
                     std::to_string(source.length.constant) + ", \"" + argument.sidl_name + "\")");
  }
  MethodModel shorter = method;
  std::erase_if(shorter.arguments, [&](const ArgumentModel& each) {
    return std::ranges::any_of(method.indices, [&](const IndexModel& index) {
      return method.arguments[index.argument].name == each.name;
    });
  });
  printer.emit({{"doc", [&] { emit_javadoc(printer, shorter, spelling); }},
                {"access", access(method)},
                {"result", spelling.type(method.result)},
                {"name", method.name},
                {"parameters", parameters_of(method, spelling, false)},
                {"throws", throws_of(method, spelling)},
                {"return", method.returns() ? "return " : ""},
                {"values", join(values)}},
               R"(

    $doc$
    $access$$result$ $name$($parameters$)$throws$ {
      $return$$name$($values$);
    }
  )");
}

void emit_stub(Printer& printer, const MethodModel& method, Spelling& spelling, bool is_override) {
  const auto doc = [&] {
    if (is_override && !method.is_static) {
      printer.line("@" + spelling.lang("Override"));
    } else {
      emit_javadoc(printer, method, spelling);
    }
  };
  const auto body = [&] {
    method.is_quick ? emit_quick_body(printer, method, spelling)
                    : emit_framed_body(printer, method, spelling);
  };
  const std::string address = method.is_static ? "long _frame" : "long _cell, long _frame";
  printer.emit({{"doc", doc},
                {"access", access(method)},
                {"static", method.is_static ? "static " : ""},
                {"result", spelling.type(method.result)},
                {"name", method.name},
                {"parameters", parameters_of(method, spelling)},
                {"throws", throws_of(method, spelling)},
                {"body", body},
                {"native_result", method.is_quick ? Spelling::native(method.result) : "void"},
                {"native", method.native_name()},
                {"native_parameters", method.is_quick ? native_parameters(method) : address}},
               R"(

    $doc$
    $access$$result$ $name$($parameters$)$throws$ {
      $body$
    }

    private $static$native $native_result$ $native$($native_parameters$);
  )");
  if (!is_override || method.is_static) emit_short_overload(printer, method, spelling);
  emit_async(printer, method, spelling, is_override);
}

// Objects that are written in Java need not have it.
void emit_declared_async(Printer& printer, const MethodModel& method, Spelling& spelling) {
  if (!method.is_nonblocking) return;
  ir::Method described = *method.method;
  described.set_doc("Begins `" + method.slot +
                    "`. Holders have their values when its future ends.");
  MethodModel model = method;
  model.method = &described;
  model.throws.clear();
  std::vector<std::string> values;
  for (const ArgumentModel& argument : method.arguments) values.push_back(argument.name);
  const std::string call = method.name + "(" + join(values) + ")";
  printer.emit(
      {{"doc", [&] { emit_javadoc(printer, model, spelling); }},
       {"future", "java.util.concurrent.CompletableFuture<" + spelling.boxed(method.result) + ">"},
       {"name", async_name(method)},
       {"parameters", parameters_of(method, spelling)},
       {"run", method.returns() ? "supplyAsync" : "runAsync"},
       {"call", call}},
      R"(

    $doc$
    default $future$ $name$($parameters$) {
      return java.util.concurrent.CompletableFuture.$run$(() -> $call$);
    }
  )");
}

}  // namespace shinar::backends::java
