; Divides by zero, after having said something.
        li   r1, '!'
        putc r1
        li   r2, 10
        putc r2
        li   r2, 0
        divu r1, r2
        halt
