// <package>.f90: the module with types and stubs, and the little C that goes with it.
#include <algorithm>

#include "backends/fortran/emit.hpp"
#include "backends/fortran/names.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/outside_marks.hpp"
#include "codegen/splicers.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Printer;

// ---- types ------------------------------------------------------------------------------------

void emit_object_type(Printer& printer, const ObjectModel& model) {
  const auto bindings = [&] {
    for (auto each = model.bindings.begin(); each != model.bindings.end();) {
      // All forms of a method. Not non_overridable: gfortran 12 breaks down over functions of
      // characters that are.
      std::vector<std::string> forms;
      const Binding& first = *each;
      for (; each != model.bindings.end() && each->method == first.method; ++each) {
        forms.push_back(each->name + " => " + each->procedure);
      }
      printer.line(std::string("procedure") + (first.is_static ? ", nopass" : "") +
                   " :: " + codegen::join(forms));
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
  for (const StructModel& each : model.structs) {
    if (!each.is_foreign) emit_info_interface(printer, *each.type);
  }
  for (const ObjectModel& each : model.objects) emit_info_interface(printer, *each.type);
  printer.blank_line();
  for (const StructModel& each : model.structs) {
    if (each.has_arrays) emit_struct_generics(printer, each);
  }
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
void emit_object_procedures(Printer& printer, const ObjectModel& model) {
  printer.emit({{"name", model.fortran},
                {"type", member_of(model.name, "type")},
                {"finalise", member_of(model.name, "finalise")},
                {"info", member_of(model.name, "info")}},
               R"(
    recursive type(c_ptr) function $type$() result(info)
      info = $info$()
    end function $type$

    impure elemental recursive subroutine $finalise$(self)
      type($name$), intent(inout) :: self
      if (c_associated(self%d_ior)) call self%deleteRef()
    end subroutine $finalise$

  )");
  const Self self{"class(" + model.fortran + ")", "self", member_of(model.name, "info") + "()", ""};
  for (const Procedure& each : model.stubs) emit_stub(printer, each, self);
}

void emit_package(Printer& printer, const PackageModel& model) {
  const auto uses = [&] {
    if (model.is_standard_library) printer.line("use sidl_fortran_user");
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

// The module for users and other modules: the same under the name without the suffix.
void emit_alias(Printer& printer, const std::string& name, const std::string& module) {
  printer.blank_line();
  printer.emit({{"name", name}, {"module", module}}, R"(
    module $name$
      use $module$
    end module $name$

  )");
}

bool has_stubs(const ModuleModel& model) {
  return std::ranges::any_of(model.objects,
                             [](const ObjectModel& each) { return !each.stubs.empty(); });
}

// `shared`: the module with what stubs have in common.
void emit_module(Printer& printer, const ModuleModel& model, const std::string& shared,
                 const std::string& suffix) {
  const auto uses = [&] {
    if (has_stubs(model)) printer.line("use " + shared);
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
    // In the order of the model: parents first, and structs after their nested ones.
    for (const ObjectModel& each : model.objects) emit_object_type(printer, each);
    for (const StructModel& each : model.structs) {
      if (!each.is_foreign) emit_struct_types(printer, each);
    }
  };
  const auto procedures = [&] {
    for (const StructModel& each : model.structs) {
      if (!each.is_foreign) {
        emit_assignment(printer, each);
        emit_conversions(printer, each);
      }
      if (each.has_arrays) emit_struct_arrays(printer, each);
    }
    for (const ObjectModel& each : model.objects) {
      if (model.objects.size() > 1) {
        printer.line("! ---- " + each.name);
        printer.blank_line();
      }
      emit_object_procedures(printer, each);
    }
  };
  const bool has_procedures = !model.structs.empty() || !model.objects.empty();
  const bool has_suffix = has_procedures && !suffix.empty();
  const std::string name =
      has_suffix ? shorten(model.name, kLongestName - suffix.size()) + suffix : model.name;
  printer.emit({{"name", name},
                {"c_binding", has_procedures ? "use, intrinsic :: iso_c_binding" : ""},
                {"uses", uses},
                {"exports", exports},
                {"types", types},
                {"interfaces", [&] { emit_interfaces(printer, model); }},
                {"contains", has_procedures ? "contains" : ""},
                {"procedures", procedures}},
               R"(
    module $name$
      $c_binding$
      use sidl_fortran_binding
      $uses$
      implicit none
      private
      $exports$

      $types$
      $interfaces$
    $contains$
      $procedures$
  )");
  printer.end_line("end module " + name);
  printer.blank_line();
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
    const std::string text = codegen::without_marks(doc.substr(at, end - at));
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

void emit_modules(Printer& printer, const FileModel& model, const std::string& suffix) {
  const std::string shared = shorten(model.name + "__stubs", kLongestName - suffix.size()) + suffix;
  if (std::ranges::any_of(model.modules, has_stubs)) {
    printer.blank_line();
    emit_shared(printer, shared, model);
  }
  for (const ModuleModel& each : model.modules) emit_module(printer, each, shared, suffix);
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
      if (each.is_foreign) continue;
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
