#include "backends/java/java.hpp"

#include <deque>
#include <map>

#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"
#include "codegen/banner.hpp"
#include "codegen/impl_file.hpp"
#include "codegen/names.hpp"
#include "codegen/plan.hpp"

namespace shinar::backends {
namespace {

using codegen::Printer;
using codegen::TypeIndex;
using java::GlueModel;
using java::ObjectModel;
using java::Spelling;

// Collects the files of one run.
class Run {
 public:
  explicit Run(const codegen::Request& request) : request_(request), index_(request.module) {}

  codegen::Result run() {
    result_.problems = java::find_java_problems(request_, index_);
    for (const ir::Type* type : index_.generated()) add(*type);
    for (auto& [top, glue] : glue_) {
      const std::string file = top + "_java.c";
      Printer printer;
      emit_banner(printer, {file, plan_of(top).symbol_line, plan_of(top).source,
                            "what Java's package calls"});
      java::emit_glue(printer, index_, glue);
      result_.files.push_back({file, printer.take()});
    }
    return std::move(result_);
  }

 private:
  void add(const ir::Type& type) {
    const std::string top = codegen::Namer::parts(type.name()).front();
    GlueModel& glue = glue_[top];
    glue.top = top;
    if (type.has_enumeration()) {
      source(type, "", "Java binding",
             [&](Printer& p, Spelling& spelling) { java::emit_enum(p, type, spelling); });
    } else if (type.has_structure()) {
      glue.structs.push_back(&type);
      source(type, "", "Java binding",
             [&](Printer& p, Spelling& spelling) { java::emit_struct(p, index_, type, spelling); });
    } else {
      objects_.push_back(java::lower_object(index_, type, request_.hooks));
      ObjectModel& model = objects_.back();
      model.is_implemented = request_.implements(type);
      glue.objects.push_back(&model);
      source(type, "", "Java binding", [&](Printer& p, Spelling& spelling) {
        model.is_class ? java::emit_class(p, model, spelling)
                       : java::emit_interface(p, model, spelling);
      });
      if (model.is_implemented) implementation(model);
    }
  }

  void implementation(const ObjectModel& model) {
    const ir::Type& type = *model.type;
    source(type, "_Skel", "between C and the implementation",
           [&](Printer& p, Spelling& spelling) { java::emit_skeleton(p, model, spelling); });
    const std::string path = java::java_path(type) + "_Impl.java";
    const std::string text =
        text_of(type, "_Impl.java", "implementation", codegen::Editing::splicers,
                [&](Printer& p, Spelling& spelling) { java::emit_impl(p, model, spelling); });
    codegen::add_impl_file(result_, request_, path, text, codegen::CommentStyle::java);
    Printer printer;
    emit_banner(printer, type_banner(index_, type, model.symbol + "_Skel.c",
                                     "the class that is implemented in Java"));
    java::emit_class_glue(printer, index_, model);
    result_.files.push_back({model.symbol + "_Skel.c", printer.take()});
  }

  template <typename Emit>
  void source(const ir::Type& type, const std::string& suffix, const std::string& about,
              const Emit& emit) {
    result_.files.push_back({java::java_path(type) + suffix + ".java",
                             text_of(type, suffix + ".java", about, codegen::Editing::none, emit)});
  }

  // What the file imports is known when the rest of it is written.
  template <typename Emit>
  std::string text_of(const ir::Type& type, const std::string& suffix, const std::string& about,
                      codegen::Editing editing, const Emit& emit) {
    Spelling spelling(index_, type.package());
    Printer body;
    emit(body, spelling);
    Printer head;
    codegen::Banner banner =
        type_banner(index_, type, java::java_name(type.local_name()) + suffix, about);
    banner.editing = editing;
    emit_banner(head, banner);
    head.line("package " + java::java_package(type.package()) + ";");
    head.blank_line();
    for (const std::string& each : spelling.imports()) head.line("import " + each + ";");
    if (editing == codegen::Editing::splicers) {
      head.blank_line();
      head.line(codegen::splicer_begin(type.name() + "._imports", codegen::CommentStyle::java));
      head.line(codegen::splicer_end(type.name() + "._imports", codegen::CommentStyle::java));
    }
    head.blank_line();
    return head.take() + body.take();
  }

  const codegen::PackagePlan& plan_of(const std::string& top) {
    if (plans_.empty()) plans_ = codegen::plan_packages(index_);
    for (const codegen::PackagePlan& plan : plans_) {
      if (plan.package->name() == top) return plan;
    }
    return plans_.front();
  }

  const codegen::Request& request_;
  TypeIndex index_;
  std::deque<ObjectModel> objects_;  // the glue points to them
  std::map<std::string, GlueModel> glue_;
  std::vector<codegen::PackagePlan> plans_;
  codegen::Result result_;
};

class JavaBackend : public codegen::Backend {
 public:
  std::string_view language() const override { return "java"; }
  codegen::Result generate(const codegen::Request& request) const override {
    return Run(request).run();
  }
};

}  // namespace

std::unique_ptr<codegen::Backend> make_java_backend() {
  return std::make_unique<JavaBackend>();
}

}  // namespace shinar::backends
