/**
 * Runs the kernels of a game, compiled from Python to WebAssembly (tools/engine_modules.py), with their memory:
 *
 *     0 … constants … stack … | arrays and what kernels allocate, which grows
 *
 * An array of numba is handed over as its owner, parent, number of items, size of an item, address, shape and strides.
 */

export type Item = 'int8' | 'uint8' | 'int16' | 'int32' | 'int64' | 'uint64' | 'float32' | 'float64';

/** A numpy record, as records.ts describes it. */
export interface RecordType {
  readonly size: number;
  readonly fields: {
    readonly [name: string]: { readonly offset: number; readonly type: string; readonly count: number };
  };
}

/** What records.ts has of a game. kernels: the type that each returns. */
export interface Description {
  readonly data: number;
  readonly records: { readonly [name: string]: RecordType };
  readonly kernels: { readonly [name: string]: string };
}

const VIEWS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

type View<T extends Item> = InstanceType<(typeof VIEWS)[T]>;
type Argument = KernelArray | number | bigint | readonly Argument[];

const PAGE = 1 << 16;
const STACK = 1 << 18;
const ALIGNMENT = 64;
/** Where an array that a kernel returns has its owner, address and shape. */
const [OWNER, ADDRESS, SHAPE] = [0, 24, 32];
const LARGEST_RESULT = 96;

/** An array in the memory of a module. */
export class KernelArray {
  /** What a kernel takes for it. */
  readonly words: readonly (number | bigint)[];

  constructor(
    private readonly memory: WebAssembly.Memory,
    readonly address: number,
    readonly itemSize: number,
    readonly shape: readonly number[],
    private readonly record?: RecordType,
  ) {
    const length = shape.reduce((all, one) => all * one, 1);
    const strides = shape.map((_, place) => shape.slice(place + 1).reduce((all, one) => all * one, itemSize));
    this.words = [0, 0, BigInt(length), BigInt(itemSize), address, ...shape.map(BigInt), ...strides.map(BigInt)];
  }

  /** Its bytes, until the memory grows: with the next call of a kernel they may stand elsewhere. */
  get bytes(): Uint8Array {
    return new Uint8Array(
      this.memory.buffer,
      this.address,
      this.itemSize * this.shape.reduce((all, one) => all * one, 1),
    );
  }

  /** Its items, of that type; valid as long as `bytes`. */
  items<T extends Item>(type: T): View<T> {
    const View = VIEWS[type];
    return new View(this.memory.buffer, this.address, this.bytes.length / View.BYTES_PER_ELEMENT) as View<T>;
  }

  /** The same memory as numbers, or the first of them. */
  as(type: Item, ...shape: number[]): KernelArray {
    return new KernelArray(this.memory, this.address, VIEWS[type].BYTES_PER_ELEMENT, shape);
  }

  /** A field of one of its records; valid as long as `bytes`. */
  field<T extends Item>(name: string, type: T, index = 0): View<T> {
    if (!this.record) throw new TypeError('an array of numbers has no fields');
    return fieldOf(this.record, this.memory.buffer, name, type, this.address + index * this.itemSize);
  }
}

/** A field of a record that begins at an address of a buffer. */
export function fieldOf<T extends Item>(
  record: RecordType,
  buffer: ArrayBufferLike,
  name: string,
  type: T,
  address = 0,
): View<T> {
  const field = record.fields[name];
  if (field?.type !== type) throw new TypeError(`no field ${name} of ${type}`);
  return new VIEWS[type](buffer as ArrayBuffer, address + field.offset, field.count) as View<T>;
}

/** The kernels of a game. Whoever shares one between threads of work copies states in and out: it has one memory. */
export class Kernels<D extends Description = Description> {
  readonly memory = new WebAssembly.Memory({ initial: 64 });
  private readonly exports: Record<string, (...words: (number | bigint)[]) => number>;
  private end: number;
  private readonly result: number;

  constructor(
    module: WebAssembly.Module,
    private readonly description: D,
  ) {
    const top = aligned(description.data) + STACK;
    const stack = new WebAssembly.Global({ value: 'i32', mutable: true }, top);
    const { exports } = new WebAssembly.Instance(module, {
      env: { __linear_memory: this.memory, __stack_pointer: stack },
    });
    this.exports = exports as typeof this.exports;
    this.result = top;
    this.end = aligned(top + LARGEST_RESULT);
  }

  /** Make an array of zeros: of a record by its name, or of numbers. All arrays are made before the first call. */
  array(type: (keyof D['records'] & string) | Item, ...shape: number[]): KernelArray {
    const record = this.description.records[type];
    const itemSize = record?.size ?? VIEWS[type as Item].BYTES_PER_ELEMENT;
    const address = this.end;
    this.end = aligned(address + Math.max(1, itemSize * shape.reduce((all, one) => all * one, 1)));
    const missing = this.end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.exports['begin_heap']!(this.end);
    return new KernelArray(this.memory, address, itemSize, shape, record);
  }

  /** Call a kernel that returns a number, or nothing. */
  number(name: keyof D['kernels'] & string, ...values: Argument[]): number {
    return Number(this.code(name, ...values));
  }

  /** Call a kernel that returns a number of up to 64 bits, such as the code of a decision. */
  code(name: keyof D['kernels'] & string, ...values: Argument[]): bigint {
    const returns = this.call(name, values);
    const view = new DataView(this.memory.buffer);
    if (returns === 'none') return 0n;
    return returns === 'bool' ? BigInt(view.getUint8(this.result)) : view.getBigInt64(this.result, true);
  }

  /** Call a kernel that returns an array. Returns: a copy of its items, and its shape. */
  items<T extends Item>(
    name: keyof D['kernels'] & string,
    type: T,
    ...values: Argument[]
  ): { items: View<T>; shape: number[] } {
    const returns = this.call(name, values);
    const dimensions = returns.split('[').length - 1;
    const view = new DataView(this.memory.buffer);
    const shape = Array.from({ length: dimensions }, (_, place) =>
      Number(view.getBigInt64(this.result + SHAPE + 8 * place, true)),
    );
    const length = shape.reduce((all, one) => all * one, 1);
    const items = new VIEWS[type](
      this.memory.buffer,
      view.getUint32(this.result + ADDRESS, true),
      length,
    ).slice() as View<T>;
    this.exports['NRT_decref']!(view.getUint32(this.result + OWNER, true));
    return { items, shape };
  }

  private call(name: string, values: readonly Argument[]): string {
    const status = this.exports[name]!(this.result, this.result, ...values.flatMap(words));
    if (status !== 0) throw new Error(`the kernel ${name} failed with ${status}`);
    return this.description.kernels[name]!;
  }
}

function words(value: Argument): readonly (number | bigint)[] {
  if (value instanceof KernelArray) return value.words;
  return Array.isArray(value) ? value.flatMap(words) : [typeof value === 'number' ? BigInt(value) : (value as bigint)];
}

function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
