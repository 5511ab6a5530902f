// <package>.f90: the module with types and stubs, and the little C that goes with it.
#include <algorithm>

#include "backends/fortran/emit.hpp"
#include "backends/fortran/names.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/outside_marks.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Printer;

std::vector<std::string> dummies(const Procedure& procedure, const std::string& first,
                                 const std::string& last) {
  std::vector<std::string> result;
  if (!procedure.is_static) result.push_back(first);
  for (const Value& value : procedure.arguments) {
    if (!value.is_computed) result.push_back(value.name);
  }
  result.push_back(last);
  return result;
}

void emit_dummies(Printer& printer, const Procedure& procedure) {
  for (const bool late : {false, true}) {
    for (const Value& value : procedure.arguments) {
      if (value.late == late) emit_lines(printer, value.dummy);
    }
  }
}

// "retval = method_(object_%object, n, ex_)"
std::string call_of(const Procedure& procedure) {
  std::vector<std::string> values;
  if (!procedure.is_static) values.push_back("object_%object");
  for (const Value& value : procedure.arguments) {
    if (!value.is_result) values.push_back(value.actual);
  }
  values.push_back("ex_");
  const std::string call = "method_(" + codegen::join(values) + ")";
  return procedure.returned.empty() ? "call " + call : procedure.returned + " = " + call;
}

// The addresses of the arguments of the whole method, and the call of half of it.
void emit_half_call(Printer& printer, const Procedure& procedure, const Self& self) {
  for (std::size_t i = 0; i < procedure.positions.size(); ++i) {
    const int position = procedure.positions[i];
    const std::string address =
        position < 0 ? "c_null_ptr"
                     : procedure.arguments[static_cast<std::size_t>(position)].address;
    printer.line("args_(" + std::to_string(i + 1) + ") = " + address);
  }
  const std::string handle = procedure.is_static ? "c_null_ptr" : self.handle + "%d_ior";
  const std::string method = handle + ", " + self.info + ", " + std::to_string(procedure.slot);
  if (procedure.part == Part::send) {
    printer.line(procedure.returned + " = sidl_rmi_send(" + method + ", args_, ex_)");
    return;
  }
  const std::string retval =
      procedure.retval_address.empty() ? "c_null_ptr" : procedure.retval_address;
  printer.line("call sidl_rmi_receive(" + method + ", ticket_c, args_, " + retval + ", ex_)");
}

void emit_locals(Printer& printer, const Procedure& procedure) {
  std::vector<Declaration> locals;
  for_each_value(procedure, [&](const Value& value) {
    locals.insert(locals.end(), value.locals.begin(), value.locals.end());
  });
  locals.push_back({"type(c_ptr)", "ex_"});
  if (procedure.part != Part::whole) {
    const std::size_t count = std::max<std::size_t>(procedure.positions.size(), 1);
    locals.push_back({"type(c_ptr)", "args_(" + std::to_string(count) + ")"});
  } else {
    if (!procedure.is_static) locals.push_back({"type(sidl_object), pointer", "object_"});
    locals.push_back({"type(sidl_epv), pointer", "epv_"});
    locals.push_back({"procedure(" + procedure.abstract + "), pointer", "method_"});
  }
  emit_declarations(printer, locals);
}

// What there is to say before the arguments are looked at: that there is no object, or no class.
void emit_begin(Printer& printer, const Procedure& procedure, const Self& self) {
  const bool has_object = !procedure.is_static && !self.is_super;
  if (!has_object && procedure.part == Part::whole) {
    const std::string functions = procedure.is_static ? "sidl_static_epv" : "sidl_super_epv";
    printer.line("call c_f_pointer(" + functions + "(" + self.info + ", ex_), epv_)");
    return;
  }
  printer.line("ex_ = c_null_ptr");
  if (!has_object) return;
  printer.line("if (.not. c_associated(" + self.handle + "%d_ior)) call sidl_no_object('" +
               procedure.where + "', ex_)");
}

void emit_call(Printer& printer, const Procedure& procedure, const Self& self) {
  if (procedure.part != Part::whole) {
    emit_half_call(printer, procedure, self);
    return;
  }
  if (!procedure.is_static) {
    printer.line("call c_f_pointer(" + self.handle + "%d_ior, object_)");
    if (!self.is_super) printer.line("call c_f_pointer(object_%epv, epv_)");
  }
  printer.line("call c_f_procpointer(epv_%slots(" + std::to_string(procedure.slot) + "), method_)");
  printer.line(call_of(procedure));
}

void emit_body(Printer& printer, const Procedure& procedure, const Self& self) {
  emit_begin(printer, procedure, self);
  emit_lines(printer, procedure.indices);
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.before); });
  Lines failed;
  for_each_value(procedure, [&](const Value& value) {
    failed.insert(failed.end(), value.failed.begin(), value.failed.end());
  });
  printer.line("if (.not. c_associated(ex_)) then");
  printer.indent();
  emit_call(printer, procedure, self);
  printer.outdent();
  if (!failed.empty()) {
    printer.line("else");
    printer.indent();
    emit_lines(printer, failed);
    printer.outdent();
  }
  printer.line("end if");
  const std::string reset = procedure.returned + " = " + procedure.zero;
  const bool returns = procedure.part == Part::whole && !procedure.returned.empty();
  const bool is_direct = returns && procedure.returns_directly;
  if (returns && !is_direct) printer.line("if (c_associated(ex_)) " + reset);
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.after); });
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.last); });
  // As a number: gfortran takes pointers to be associated more often than not, and would lay the
  // code out for the exception.
  printer.line("if (transfer(ex_, 0_c_intptr_t) /= 0) then");
  if (is_direct) printer.line("  " + reset);
  printer.line("  call sidl_settle('" + procedure.where + "', '" + self.file +
               "', ex_, exception)");
  printer.line("else if (present(exception)) then");
  printer.line("  if (c_associated(exception%d_ior)) call exception%deleteRef()");
  printer.line("end if");
}

// ---- types ------------------------------------------------------------------------------------

void emit_object_type(Printer& printer, const ObjectModel& model) {
  const auto bindings = [&] {
    for (const Binding& each : model.bindings) {
      // Not non_overridable: gfortran 12 breaks down over functions of characters that are.
      printer.line(std::string("procedure") + (each.is_static ? ", nopass" : "") +
                   " :: " + each.name + " => " + each.procedure);
    }
    for (const Generic& each : model.generics) {
      printer.line("generic :: " + each.name + " => " + codegen::join(each.bindings));
    }
  };
  printer.emit({{"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"name", model.fortran},
                {"parent", model.parent},
                {"type", member_of(model.name, "type")},
                {"finalise", member_of(model.name, "finalise")},
                {"bindings", bindings}},
               R"(
    $doc$
    type, extends($parent$) :: $name$
    contains
      procedure, nopass :: type_info => $type$
      $bindings$
      final :: $finalise$
    end type $name$

  )");
}

// The function in C that gives a type's table.
std::string info_function(const ir::Type& type) {
  const std::string tag = codegen::layout_tag(type);
  return codegen::Namer::symbol(type.name()) + "__fortran__info" + (tag.empty() ? "" : "_") + tag;
}

void emit_info_interface(Printer& printer, const ir::Type& type) {
  printer.line("procedure(sidl_info), bind(C, name='" + info_function(type) +
               "') :: " + member_of(type.name(), "info"));
}

void emit_abstract(Printer& printer, const Procedure& procedure) {
  std::vector<std::string> names;
  std::vector<Declaration> dummies;
  const auto add = [&](const Declaration& dummy, const std::string& name) {
    names.push_back(name);
    dummies.push_back(dummy);
  };
  if (!procedure.is_static) add({"type(c_ptr), value", "self"}, "self");
  for (const Value& value : procedure.arguments) {
    if (!value.is_result) add(value.c_dummy, value.name);
  }
  add({"type(c_ptr), intent(inout)", "ex"}, "ex");
  const bool returns = !procedure.c_result.empty();
  if (returns) dummies.push_back({procedure.c_result, "retval"});
  printer.emit({{"kind", returns ? "function" : "subroutine"},
                {"name", procedure.abstract},
                {"names", codegen::join(names)},
                {"result", returns ? " result(retval)" : ""},
                {"dummies", [&] { emit_declarations(printer, dummies); }}},
               R"(
    $kind$ $name$($names$) bind(C)$result$
      import
      $dummies$
    end $kind$ $name$
  )");
}

void emit_interfaces(Printer& printer, const ModuleModel& model) {
  for (const StructModel& each : model.structs) emit_info_interface(printer, *each.type);
  for (const ObjectModel& each : model.objects) emit_info_interface(printer, *each.type);
  printer.blank_line();
  std::vector<const Procedure*> abstracts;
  for (const ObjectModel& object : model.objects) {
    for (const Procedure& each : object.abstracts) abstracts.push_back(&each);
  }
  if (abstracts.empty()) return;
  printer.line("! The functions of objects, as they are in C.");
  emit_abstracts(printer, abstracts);
}

// ---- procedures -------------------------------------------------------------------------------
// They are recursive: what they call may call them again, as the end of an object ends others, and
// their variables are each call's own, for threads.

// The finaliser does what that of sidl_handle does: for a component without one of its own gfortran
// 12 now and then forgets that of the parent, as the layout of its own memory will have it.
void emit_object_procedures(Printer& printer, const ObjectModel& model, const std::string& file) {
  printer.emit({{"name", model.fortran},
                {"type", member_of(model.name, "type")},
                {"finalise", member_of(model.name, "finalise")},
                {"info", member_of(model.name, "info")}},
               R"(
    recursive function $type$() result(info)
      type(c_ptr) :: info
      info = $info$()
    end function $type$

    impure elemental recursive subroutine $finalise$(self)
      type($name$), intent(inout) :: self
      if (c_associated(self%d_ior)) call self%deleteRef()
    end subroutine $finalise$

  )");
  const Self self{"class(" + model.fortran + ")", "self", member_of(model.name, "info") + "()",
                  file};
  for (const Procedure& each : model.stubs) emit_stub(printer, each, self);
}

void emit_package(Printer& printer, const PackageModel& model) {
  const auto uses = [&] {
    if (model.is_standard_library) {
      printer.line("use sidl_fortran, only: sidl_handle, sidl_throw, sidl_enum");
      printer.line(
          "use sidl_fortran_arrays, only: sidl_array, sidl_allocate, sidl_free, sidl_view_array, "
          "sidl_make, sidl_make_handles, sidl_make_text, sidl_bool_array, sidl_char_array, "
          "sidl_int_array, sidl_long_array, "
          "sidl_float_array, sidl_double_array, sidl_fcomplex_array, sidl_dcomplex_array, "
          "sidl_opaque_array, sidl_string_array, sidl_interface_array");
    }
    for (const std::string& name : model.uses) printer.line("use " + name);
  };
  printer.emit(
      {{"doc", [&] { emit_doc(printer, model.doc); }}, {"name", model.name}, {"uses", uses}},
      R"(
    $doc$
    module $name$
      $uses$
    end module $name$
  )");
}

// What users and other modules know the module by: the same under the name without the suffix.
void emit_alias(Printer& printer, const std::string& name, const std::string& module) {
  printer.blank_line();
  printer.emit({{"name", name}, {"module", module}}, R"(
    module $name$
      use $module$
    end module $name$

  )");
}

void emit_module(Printer& printer, const ModuleModel& model, const std::string& file,
                 const std::string& suffix) {
  const auto uses = [&] {
    for (const std::string& name : model.uses) printer.line("use " + name);
  };
  const auto exports = [&] {
    if (!model.exports.empty()) printer.line("public :: " + codegen::join(model.exports));
  };
  const auto types = [&] {
    for (const EnumModel& each : model.enums) {
      emit_doc(printer, each.type->doc());
      emit_lines(printer, each.constants);
      printer.blank_line();
    }
    // In the order of the model: parents first, and structs behind those they hold.
    for (const ObjectModel& each : model.objects) emit_object_type(printer, each);
    for (const StructModel& each : model.structs) emit_struct_types(printer, each);
  };
  const auto procedures = [&] {
    for (const StructModel& each : model.structs) {
      emit_assignment(printer, each);
      emit_conversions(printer, each);
    }
    for (const ObjectModel& each : model.objects) {
      if (model.objects.size() > 1) {
        printer.line("! ---- " + each.name);
        printer.blank_line();
      }
      emit_object_procedures(printer, each, file);
    }
  };
  const bool has_procedures = !model.structs.empty() || !model.objects.empty();
  const bool has_suffix = has_procedures && !suffix.empty();
  const std::string name =
      has_suffix ? shorten(model.name, kLongestName - suffix.size()) + suffix : model.name;
  printer.emit({{"name", name},
                {"uses", uses},
                {"exports", exports},
                {"types", types},
                {"interfaces", [&] { emit_interfaces(printer, model); }},
                {"contains", has_procedures ? "contains" : ""},
                {"procedures", procedures}},
               R"(
    module $name$
      use, intrinsic :: iso_c_binding
      use sidl_fortran_binding
      $uses$
      implicit none
      private

      $exports$

      $types$
      $interfaces$
    $contains$

      $procedures$
    end module $name$

  )");
  if (has_suffix) emit_alias(printer, model.name, name);
}

}  // namespace

void emit_lines(Printer& printer, const Lines& lines) {
  for (const std::string& line : lines) printer.line(line);
}

void emit_declarations(Printer& printer, const std::vector<Declaration>& declarations) {
  std::vector<Declaration> lines;  // of all names of a type
  for (const Declaration& each : declarations) {
    const auto known = std::ranges::find(lines, each.type, &Declaration::type);
    if (known == lines.end()) {
      lines.push_back(each);
    } else {
      known->name += ", " + each.name;
    }
  }
  for (const Declaration& line : lines) printer.line(line.type + " :: " + line.name);
}

void emit_banner(Printer& printer, const codegen::Banner& banner) {
  const bool has_splicers = banner.editing == codegen::Editing::splicers;
  printer.emit({{"file", banner.file},
                {"about", banner.about},
                {"symbol", banner.symbol},
                {"source", banner.source},
                {"digest",
                 [&] {
                   if (has_splicers) printer.line("! " + std::string(codegen::kNoDigest));
                 }},
                {"warning", has_splicers ? "which keeps only what is between splicer marks: edit "
                                           "nothing else."
                                         : "which overwrites it: do not edit."}},
               R"(
    ! $file$: $about$
    !
    ! Symbol: $symbol$
    ! Source: $source$
    $digest$
    !
    ! Generated by sidlc, $warning$
  )");
}

void emit_doc(Printer& printer, const std::string& doc) {
  bool first = true;
  std::size_t at = 0;
  while (at < doc.size()) {
    const std::size_t end = std::min(doc.find('\n', at), doc.size());
    const std::string text = doc.substr(at, end - at);
    const std::size_t last = text.find_last_not_of(" \t\r");
    at = end + 1;
    if (last == std::string::npos) {
      if (!first) printer.line("!!");
      continue;
    }
    printer.line((first ? "!> " : "!! ") + text.substr(0, last + 1));
    first = false;
  }
}

void emit_abstracts(Printer& printer, const std::vector<const Procedure*>& procedures) {
  printer.line("abstract interface");
  printer.indent();
  for (const Procedure* each : procedures) {
    if (each != procedures.front()) printer.blank_line();
    emit_abstract(printer, *each);
  }
  printer.outdent();
  printer.line("end interface");
  printer.blank_line();
}

void emit_stub(Printer& printer, const Procedure& procedure, const Self& self) {
  emit_doc(printer, procedure.doc);
  printer.emit({{"kind", procedure.result ? "function" : "subroutine"},
                {"name", procedure.name},
                {"names", codegen::join(dummies(procedure, "self", "exception"))},
                {"result", procedure.result ? " result(retval)" : ""},
                {"self", procedure.is_static ? "" : self.type + ", intent(in) :: self"},
                {"dummies", [&] { emit_dummies(printer, procedure); }},
                {"retval",
                 [&] {
                   if (procedure.result) emit_lines(printer, procedure.result->dummy);
                 }},
                {"locals", [&] { emit_locals(printer, procedure); }},
                {"body", [&] { emit_body(printer, procedure, self); }}},
               R"(
    recursive $kind$ $name$($names$)$result$
      $self$
      $dummies$
      type(sidl_BaseException), intent(inout), optional :: exception
      $retval$
      $locals$
      $body$
    end $kind$ $name$

  )");
}

void emit_modules(Printer& printer, const FileModel& model, const std::string& suffix) {
  for (const ModuleModel& each : model.modules) {
    emit_module(printer, each, model.name + ".f90", suffix);
  }
  for (const PackageModel& each : model.packages) {
    printer.blank_line();
    emit_package(printer, each);
  }
}

void emit_modules_c(Printer& printer, const FileModel& model) {
  struct Function {
    std::string symbol;
    std::string name;
    std::string type;
  };
  std::vector<Function> all;
  for (const ModuleModel& module : model.modules) {
    for (const StructModel& each : module.structs) {
      all.push_back({each.symbol, info_function(*each.type), "sidl_struct_info"});
    }
    for (const ObjectModel& each : module.objects) {
      all.push_back({each.symbol, info_function(*each.type), "sidl_type_info"});
    }
  }
  const auto includes = [&] {
    for (const Function& each : all) printer.line("#include \"" + each.symbol + "_IOR.h\"");
  };
  const auto prototypes = [&] {
    for (const Function& each : all) {
      printer.line("const struct " + each.type + "* " + each.name + "(void);");
    }
  };
  const auto functions = [&] {
    for (const Function& each : all) {
      printer.emit({{"symbol", each.symbol}, {"name", each.name}, {"type", each.type}}, R"(
        const struct $type$*
        $name$(void)
        {
          return &$symbol$__info;
        }

      )");
    }
  };
  printer.emit({{"includes", includes}, {"prototypes", prototypes}, {"functions", functions}}, R"(
    #include "sidl_ior.h"
    $includes$

    $prototypes$

    $functions$
  )");
}

}  // namespace shinar::backends::fortran
