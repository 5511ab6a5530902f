program callers
end program callers
