Primes up to a limit with the sieve of Eratosthenes

Reads the limit in decimal: from 1 to 255

Each number from 2 to the limit has a block of eighteen cells
  m  1 if there is such a number
  f  1 once it is known to be a multiple
  k  the number
  a  steps to the next multiple of p
  e  scratch: is a zero
  z  always 0 at rest
  p  a prime
  t  scratch
  q  to be printed; then: has a digit been printed
  o oo oe oz  the ones; 10 less the ones; scratch: is that zero; always 0 at rest
  d dd de dz  the same for the tens
  h  the hundreds
There is one unused block before them so that the way back has an end

>>>>>>>>>>>>>>>>>>>>>>+[-                     read a character
    <<,[----------[--------------------------------------  a digit: neither 0 for the end nor newline
        >[>>>>++++++++++<<<<-]<[>>>>>+<<<<<-]>>>>>[<<<<+>>>>-]  ten times a plus the digit
        <<<+<<]]
>>]
<-                                            so many numbers
<++                                           from 2 on
>[-<<<+                                       make a block
    >>>[>>>>>>>>>>>>>>>>>>+<<<<<<<<<<<<<<<<<<-]<[>>>>>+>>>>>>>>>>>>>+<<<<<<<<<<<<<<<<<<-]>>>>>[<<<<<+>>>>>-]>>>>>>>>>>>>>+  count
>]
<[-]<<<<<<<<<<<<<<<<<<<<[<<<<<<<<<<<<<<<<<<]>>>>>>>>>>>>>>>>>>  back to the first block

[                                             for each number
    >>>>>>>+<<<<<<[>>>>>>-<<<<<<-]
    >>>>>>[-                                  if it is not a multiple of a smaller prime
        <<<<<[>>>>>>+>>>>>>>>>>>>>+>>>+<<<<<<<<<<<<<<<<<<<<<<-]

        >>>>>>>>++++++++++>>>>++++++++++
        <<<<<<[-                              count to it in decimal
            >+>->+<[>-]>[<++++++++++<----------
                >>>>+>->+<[>-]>[<++++++++++<---------->>>>+<<->]
            <<<<<->]
        <<<<]>>[-]>>>>[-]
        >>>[<<<<<<<<<<++++++[>>>>>>>>>>++++++++<<<<<<<<<<-]>>>>>>>>>>.[-]<<<<<<<<<+>>>>>>>>>]  hundreds unless 0
        <<<<[<<<<<<+>+>>>>>-]
        <<<<<[[-]<<<<++++++[>>>++++++++<<<-]>>>.[-]>]  tens unless both are 0
        <++++++[>>++++++++<<-]>>.[-]          ones
        <<++++++++++.[-]                      newline

        <<<<<<<->>>>>>>>>>>>>>>>>>            with m being 0 the way back ends here
        [                                     go through the larger numbers
            >>>->+<[>-]>[                     if it is a multiple
                <<<[-]+>>>>>[>+<<<<+>>>-]>[<+>-]
            <<<->]
            <<[>>>>>>>>>>>>>>>>>>+<<<<<<<<<<<<<<<<<<-]>>>[>>>>>>>>>>>>>>>>>>+<<<<<<<<<<<<<<<<<<-]  take a and p along
        >>>>>>>>>>>>]
        >>>[-]>>>[-]<<<<<<<<<<<<<<<<<<<<<<<<[<<<<<<<<<<<<<<<<<<]
    >>>>>>>]
>>>>>>>>>>>]
