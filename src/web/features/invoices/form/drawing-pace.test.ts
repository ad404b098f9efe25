import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DrawingPace } from './drawing-pace.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A form whose first rendering took that long, and how often it has been rendered since. */
function formThatTakes(tookMs: number) {
  const draw = vi.fn();
  const pace = new DrawingPace(draw);
  vi.advanceTimersByTime(tookMs);
  pace.drawn();
  return { pace, draw };
}

function type(pace: DrawingPace, keys: number, eachMs: number): void {
  for (let key = 0; key < keys; key++) {
    pace.typed();
    vi.advanceTimersByTime(eachMs);
  }
}

describe('when a form is rendered with what is typed', () => {
  it('is at each key press, if that is quick', () => {
    const { pace, draw } = formThatTakes(20);
    type(pace, 3, 120);
    expect(draw).toHaveBeenCalledTimes(3);
  });

  it('is once, in the next pause, if it takes long', () => {
    const { pace, draw } = formThatTakes(200);
    type(pace, 5, 120);
    expect(draw).not.toHaveBeenCalled();
    vi.advanceTimersByTime(300);
    expect(draw).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(draw).toHaveBeenCalledTimes(1);
  });

  it('is every two seconds, while there is no pause', () => {
    const { pace, draw } = formThatTakes(200);
    type(pace, 35, 120); // 4.2 s.
    expect(draw).toHaveBeenCalledTimes(2);
  });

  it('depends on how long the last rendering took', () => {
    const { pace, draw } = formThatTakes(200);
    type(pace, 1, 300);
    pace.drawn(); // Immediately.
    type(pace, 3, 120);
    expect(draw).toHaveBeenCalledTimes(4);

    vi.advanceTimersByTime(400);
    pace.drawn(); // 760 ms after the first of those three.
    type(pace, 3, 120);
    expect(draw).toHaveBeenCalledTimes(4);
  });

  it('is not at all if something else has rendered it meanwhile', () => {
    const { pace, draw } = formThatTakes(200);
    pace.typed();
    pace.skip();
    vi.advanceTimersByTime(10_000);
    expect(draw).not.toHaveBeenCalled();
  });
});
