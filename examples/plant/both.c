/* Two libraries have parts of one package: its header brings both. */
#include <stdio.h>

#include "plant.h"
#include "sidl_Exception.h"
#include "sidl_String.h"

int main(void) {
  sidl_BaseInterface _ex = NULL;
  plant_Mesh none = NULL;
  plant_Report report = plant_Report__create(&_ex);
  SIDL_CHECK(_ex);
  char* line = plant_Report_line(report, 3, 0.25, &_ex);
  SIDL_CHECK(_ex);
  printf("%s %d\n", line, none == NULL);
  sidl_String_free(line);
  plant_Report_deleteRef(report, &_ex);
  return 0;
EXIT:
  sidl_report_exception(_ex);
  return 1;
}
