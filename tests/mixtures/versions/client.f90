! As client.c; methods are called through dummies of a class, by the tables of the type.
program client
  use sidl
  use mix
  implicit none
  type(mix_Maker) :: maker
  type(mix_Thing) :: thing, twin
  type(sidl_BaseInterface) :: any
  type(mix_Pair) :: pair, swapped
  type(mix_Ear) :: ear
  type(sidl_BaseException) :: ex
  character(200) :: url
  call get_command_argument(1, url)
  if (url == '') then
    call maker%create(ex)
  else
    call maker%create_remote(trim(url), ex)
  end if
  call say('create', 0)
  if (maker%not_null()) then
    call maker%make(thing, ex)
    call say('make', area(thing))
    call maker%some(any, ex)
    call thing%deleteRef()
    if (ex%is_null()) call thing%cast(any, ex)
    call say('cast', area(thing))
    pair%a = 7
    pair%b = 77
    call maker%swap(pair, swapped, ex)
    call say('swap', int(swapped%a * 100 + swapped%b))
    call say('paint', maker%paint(mix_Color_green, ex))
    call ear%create(ex)
    if (ex%is_null()) call say('tell', maker%tell(ear, ex))
    if (ex%not_null()) call say('tell', 0)
    call thing%deleteRef()
    call maker%make(thing, ex)
    if (ex%is_null()) call thing%twin(thing, twin, ex)
    call say('twin', area(twin))
  end if
  if (url == '') then
    call say('static', maker%one(ex))
    call thing%deleteRef()
    call thing%create(ex)
    call say('thing', area(thing))
    if (thing%not_null()) call texts(thing)
  end if
contains
  integer function area(of)
    class(mix_Thing), intent(in) :: of
    area = 0
    if (ex%is_null() .and. of%not_null()) area = of%area(ex)
  end function area

  subroutine texts(of)
    class(mix_Thing), intent(in) :: of
    character(:), allocatable :: text
    text = of%name() // of%title() // of%unit()
    print '(2a)', 'texts ', text
  end subroutine texts

  subroutine say(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    if (ex%is_null()) then
      print '(a, 1x, i0)', what, value
    else
      print '(3a)', what, ' ! ', ex%getNote()
      call ex%deleteRef()
    end if
  end subroutine say
end program client
