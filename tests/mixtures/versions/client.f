C     As client.c.
      program client
      include 'mix.inc'
      integer*8 maker, thing, any, other, ex, ear, twin
      integer*4 value
      character*200 url
      call getarg(1, url)
      if (url .eq. ' ') then
        call mix_Maker__create_f(maker, ex)
      else
        call mix_Maker__createRemote_f(maker, url, ex)
      end if
      value = 0
      call say('create', value, ex)
      if (maker .ne. 0) then
        value = 0
        call mix_Maker_make_f(maker, thing, ex)
        if (ex .eq. 0) call mix_Thing_area_f(thing, value, ex)
        call say('make', value, ex)
        value = 0
        call mix_Maker_some_f(maker, any, ex)
        thing = 0
        if (ex .eq. 0) call mix_Thing__cast_f(any, thing, ex)
        if (thing .ne. 0) call mix_Thing_area_f(thing, value, ex)
        call say('cast', value, ex)
        call mix_Maker_paint_f(maker, mix_Color_green, value, ex)
        call say('paint', value, ex)
        value = 0
        call mix_Ear__create_f(ear, ex)
        if (ex .eq. 0) call mix_Maker_tell_f(maker, ear, value, ex)
        call say('tell', value, ex)
        value = 0
        call mix_Maker_make_f(maker, thing, ex)
        if (ex .eq. 0) call mix_Thing_twin_f(thing, thing, twin, ex)
        if (ex .eq. 0) call mix_Thing_area_f(twin, value, ex)
        call say('twin', value, ex)
      end if
      if (url .eq. ' ') then
        value = 0
        call mix_Maker_one_f(value, ex)
        call say('static', value, ex)
        value = 0
        call mix_Thing__create_f(thing, ex)
        if (ex .eq. 0) call mix_Thing_area_f(thing, value, ex)
        call say('thing', value, ex)
      end if
      end

      subroutine say(what, value, ex)
      character*(*) what
      integer*4 value
      integer*8 ex, other
      character*1000 note
      if (ex .eq. 0) then
        write (*, '(a, 1x, i0)') what, value
      else
        call sidl_BaseException_getNote_f(ex, note, other)
        write (*, '(3a)') what, ' ! ', trim(note)
        call sidl_BaseException_deleteRef_f(ex, other)
        ex = 0
      end if
      end
