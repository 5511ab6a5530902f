! catch_fortran URL: casts what the server throws to all of its types, and asks what its class knows.
program catch
  use sidl
  use faults
  implicit none
  type(faults_Solver) :: solver
  type(faults_Unstable) :: unstable
  type(faults_Fault) :: fault
  type(faults_Explained) :: explained
  type(sidl_RuntimeException) :: at_run_time
  type(sidl_BaseException) :: ex, other
  type(sidl_NotImplementedException) :: not_implemented
  character(200) :: url
  integer :: step
  call get_command_argument(1, url)
  call solver%create_remote(trim(url))
  call solver%run(7, ex)
  if (ex%is_null()) error stop 1
  unstable = ex
  if (unstable%is_null()) error stop 2
  fault = ex
  if (fault%is_null()) error stop 3
  explained = ex
  if (explained%is_null()) error stop 4
  at_run_time = ex
  if (at_run_time%is_null()) error stop 5
  if (unstable%getNote() /= 'diverged') error stop 6
  if (index(unstable%getTrace(), 'faults.Solver.run') == 0) error stop 7
  step = unstable%getStep(other)
  if (other%is_null()) error stop 8
  not_implemented = other
  if (not_implemented%is_null()) error stop 9
  if (step /= 0) error stop 10
  print '(a)', 'ok'
end program catch
