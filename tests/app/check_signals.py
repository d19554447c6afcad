#!/usr/bin/env python3
"""check_signals.py PROGRAM FOLDER: while a driver hangs, each signal that asks for the end ends the program by that
signal and its child with it; no file is left, and the older one stays. So does a reader that went before it printed.
LD_PRELOAD is the driver.
"""
import concurrent.futures
import os
import signal
import subprocess
import sys

program, folder = sys.argv[1:]
faulty = os.environ.pop('LD_PRELOAD')
ASKING = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM,
          signal.SIGXCPU, signal.SIGPROF, signal.SIGVTALRM, signal.SIGIO, signal.SIGPWR)
AT_TERMINAL = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)  # which asks all processes of a group
for number in ASKING:
    signal.signal(number, signal.SIG_DFL)  # whoever started this may ignore it


def make_places(name):
    """A folder with an older file in it, that file, and a pipe."""
    out, pipe = os.path.join(folder, name), os.path.join(folder, name + '.pipe')
    os.mkdir(out)
    os.mkfifo(pipe)
    target = os.path.join(out, 'diff.npz')
    with open(target, 'w') as older:
        older.write('older')
    return out, target, pipe


def start(how, at, target, pipe, **options):
    environment = {**os.environ, 'LD_PRELOAD': faulty, 'FAULTY_OPENCL': how, 'FAULTY_OPENCL_AT': at,
                   'FAULTY_OPENCL_PIPE': pipe}
    return subprocess.Popen([program, 'trace', 'three-tokens', '-o', target], env=environment, start_new_session=True,
                            **options)


def check(number, ask):
    out, target, pipe = make_places(f'{number}{ask.__name__}')
    lab = start('hangs', 'clEnqueueMapBuffer', target, pipe)
    with open(pipe) as hanging:
        child = int(hanging.readline())
        assert child != lab.pid
        assert len(os.listdir(out)) == 2, os.listdir(out)  # the older file and what is being written
        ask(lab.pid, number)
        assert lab.wait() == -number, (number, lab.returncode)
        assert hanging.read() == ''  # open until the child's end
    if number != signal.SIGKILL:  # which leaves no time: the next program removes it
        assert os.listdir(out) == ['diff.npz'], (number, os.listdir(out))
    assert open(target).read() == 'older'


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    checks = [(number, os.kill) for number in (*ASKING, signal.SIGKILL)]
    checks += [(number, os.killpg) for number in (*AT_TERMINAL, signal.SIGTERM, signal.SIGKILL)]
    for done in [pool.submit(check, *each) for each in checks]:
        done.result()

out, target, pipe = make_places('out')
# The reference too.
points = os.path.join(folder, 'points.csv')
with open(points, 'w') as file:
    file.writelines(f'{i % 997},{i % 11}\n' for i in range(20000))
for environment in ({}, {'LD_PRELOAD': faulty, 'FAULTY_OPENCL': 'crashes', 'FAULTY_OPENCL_AT': 'clGetPlatformIDs'}):
    lab = subprocess.Popen([program, 'regress', points, '--kernel', 'gaussian', '--width', 'auto', '-o', target,
                            '--device', 'auto' if environment else 'reference'],
                           env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True)
    assert 'reference' in lab.stderr.readline()
    lab.terminate()
    assert lab.wait() == -signal.SIGTERM, lab.returncode
    assert os.listdir(out) == ['diff.npz'], os.listdir(out)

# Whoever was started so as to ignore a signal goes on ignoring it.
lab = start('hangs', 'clEnqueueMapBuffer', target, pipe, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
with open(pipe) as hanging:
    hanging.readline()
    os.kill(lab.pid, signal.SIGHUP)
    os.kill(lab.pid, signal.SIGTERM)
    assert lab.wait() == -signal.SIGTERM, lab.returncode
    assert hanging.read() == ''

read, write = os.pipe()
os.close(read)
lab = subprocess.run([program, 'compare', 'three-tokens', '--mask', 'causal', '-o', target], stdout=write)
assert lab.returncode == -signal.SIGPIPE, lab.returncode
assert os.listdir(out) == ['diff.npz']
assert open(target).read() == 'older'
