; A tour of the language.
(define (fact n) (if (< n 2) 1 (* n (fact (- n 1)))))
(write (fact 20)) (newline)

(define (count-to n) (letrec ((loop (lambda (i) (if (< i n) (loop (+ i 1)) i)))) (loop 0)))
(write (count-to 100000)) (newline)

(define (make-counter)
  (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(define tick (make-counter))
(tick) (tick)
(write (list (tick) ((make-counter)) 'done "two\nlines" 2.5 #t)) (newline)

(define words '("pear" "fig" "apple"))
(display (sort words string-length)) (newline)
(write (map (lambda (w n) (string-append w "-" (number->string n))) words '(1 2 3))) (newline)
(write (filter (lambda (n) (= (remainder n 3) 0)) '(1 2 3 4 5 6 9))) (newline)

(define (queens size)
  (letrec
    ((safe? (lambda (column distance rest)
       (cond ((null? rest) #t)
             ((= (car rest) column) #f)
             ((= (car rest) (+ column distance)) #f)
             ((= (car rest) (- column distance)) #f)
             (else (safe? column (+ distance 1) (cdr rest))))))
     (place (lambda (row board)
       (if (= row size) 1 (try 0 row board 0))))
     (try (lambda (column row board found)
       (if (= column size) found
           (try (+ column 1) row board
                (if (safe? column 1 board)
                    (+ found (place (+ row 1) (cons column board)))
                    found))))))
    (place 0 '())))
(write (queens 6)) (newline)

(write (list (/ 6 3) (/ 1 2) (sqrt 2) (floor 2.7) (+ 1 2.5) (- 5) (*)))
(newline)
(write '(a (b . c) . d)) (newline)
(write (let ((x 1) (y 2)) (while (< x 10) (set! x (* x y))) x)) (newline)
(write (and 1 2 (or #f 3))) (newline)
(write car) (write fact) (newline)
(display (apply + '(1 2 3))) (newline)
(define (f . all) (length all))
(write (f 1 2 3)) (newline)
(write (equal? '(1 (2 "x")) (list 1 (list 2 "x")))) (newline)
(display (string-upcase "größe")) (newline)
(car (cdr '(1)))
