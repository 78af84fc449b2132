// SPDX-License-Identifier: ISC
// A stand-in for the header of a HISE project: what the node uses of HISE, with what the real one refuses. A cable
// drops what comes to a node while that node sends, hands the last thing that was sent to whatever is connected, and
// carries texts, numbers and lists of them alone. A node is made in place, in memory of HISE's own, and called by
// pointers.
#pragma once

#include <juce_core/juce_core.h>
#include <juce_events/juce_events.h>

#include <array>
#include <memory>
#include <tuple>

namespace hise
{

using namespace juce;

struct HiseEvent
{
};

namespace runtime_target
{

enum class RuntimeTarget
{
    Undefined,
    GlobalCable
};

struct target_base
{
    virtual ~target_base() = default;
    virtual void onData (const void* data, size_t size) = 0;
};

/** What HISE has for each name that a script or a node uses. */
struct Cable
{
    explicit Cable (const String& name) : hash (name.hashCode()) {}

    void send (target_base* from, const MemoryBlock& data)
    {
        last = data;

        for (auto* each : Array<target_base*> (targets))
            if (each != from)
                each->onData (last.getData(), last.getSize());
    }

    void add (target_base* target)
    {
        targets.addIfNotAlreadyThere (target);

        if (! last.isEmpty())
            target->onData (last.getData(), last.getSize());
    }

    const int hash;
    Array<target_base*> targets;
    MemoryBlock last;
};

struct connection
{
    Cable* source = nullptr;

    RuntimeTarget getType() const { return source != nullptr ? RuntimeTarget::GlobalCable : RuntimeTarget::Undefined; }

    int getHash() const { return source != nullptr ? source->hash : 0; }
};

template <int Hash>
struct fix_hash
{
    static constexpr int getIndex() { return Hash; }
};

} // namespace runtime_target

/** JUCE's own cannot write an object into a stream, and HISE's does only in newer versions. */
inline MemoryBlock serialised (const var& value)
{
    const auto isPlain = [] (const var& each) { return each.isString() || each.isInt() || each.isDouble(); };

    if (const auto* list = value.getArray())
    {
        for (const auto& each : *list)
            if (! isPlain (each))
                std::abort();
    }
    else if (! isPlain (value))
        std::abort();

    MemoryOutputStream stream;
    value.writeToStream (stream);
    return stream.getMemoryBlock();
}

inline var deserialised (const void* data, size_t size)
{
    MemoryInputStream stream (data, size, false);
    return var::readFromStream (stream);
}

} // namespace hise

namespace scriptnode
{

using namespace juce;
using namespace hise;

struct NodeBase;
struct ExternalData
{
};
using ParameterDataList = Array<int>;

struct PrepareSpecs
{
    double sampleRate = 0.0;
    int blockSize = 0, numChannels = 0;
};

template <int Size>
struct span
{
    float* begin() { return values; }

    float* end() { return values + Size; }

    float values[Size];
};

struct ProcessDataDyn
{
    float** getRawDataPointers() { return pointers; }

    int getNumChannels() const { return channels; }

    int getNumSamples() const { return samples; }

    float** pointers;
    int channels, samples;
};

namespace data
{

struct base
{
    virtual ~base() = default;

    virtual void setExternalData (const ExternalData&, int) {}
};

} // namespace data

namespace parameter
{

struct empty
{
};

} // namespace parameter

namespace routing
{

template <typename Index, typename>
struct global_cable final : public runtime_target::target_base
{
    ~global_cable() override
    {
        if (cable != nullptr)
            cable->targets.removeFirstMatchingValue (this);
    }

    void connectToRuntimeTarget (bool add, const runtime_target::connection& c)
    {
        if (c.getType() != runtime_target::RuntimeTarget::GlobalCable || c.getHash() != Index::getIndex())
            return;

        cable = add ? c.source : nullptr;

        if (add)
            cable->add (this);
        else
            c.source->targets.removeFirstMatchingValue (this);
    }

    void onData (const void* data, size_t size) override
    {
        if (! isSending && callback)
            callback (deserialised (data, size));
    }

    bool send (const MemoryBlock& data)
    {
        if (cable == nullptr || data.isEmpty())
            return false;

        const ScopedValueSetter<bool> sending (isSending, true);
        cable->send (this, data);
        return true;
    }

    runtime_target::Cable* cable = nullptr;
    std::function<void (const var&)> callback;
    bool isSending = false;
};

template <typename... Cables>
struct global_cable_cpp_manager : private std::tuple<Cables...>
{
    virtual ~global_cable_cpp_manager() = default;

    virtual void connectToRuntimeTarget (bool add, const runtime_target::connection& c)
    {
        std::apply ([&] (auto&... each) { (each.connectToRuntimeTarget (add, c), ...); }, all());

        if (add)
            sendPending (std::index_sequence_for<Cables...>());
    }

    template <auto Index>
    void sendDataToGlobalCable (const var& value)
    {
        constexpr auto at = static_cast<size_t> (Index);
        const auto data = serialised (value);
        pending[at] = std::get<at> (all()).send (data) ? MemoryBlock() : data;
    }

    template <auto Index>
    void registerDataCallback (const std::function<void (const var&)>& function)
    {
        std::get<static_cast<size_t> (Index)> (all()).callback = function;
    }

private:
    std::tuple<Cables...>& all() { return *this; }

    template <size_t... At>
    void sendPending (std::index_sequence<At...>)
    {
        (std::get<At> (all()).send (pending[At]), ...);
    }

    std::array<MemoryBlock, sizeof...(Cables)> pending;
};

} // namespace routing

#define SN_GLOBAL_CABLE(hash) routing::global_cable<runtime_target::fix_hash<hash>, parameter::empty>
#define SN_NODE_ID(id)                                                                                                 \
    static Identifier getStaticId()                                                                                    \
    {                                                                                                                  \
        static const Identifier name (id);                                                                             \
        return name;                                                                                                   \
    }
#define SNEX_NODE(name)                                                                                                \
    SN_NODE_ID (#name)                                                                                                 \
    void initialise (NodeBase*) {}                                                                                     \
    template <int Index>                                                                                               \
    static void setParameterStatic (void* object, double value)                                                        \
    {                                                                                                                  \
        static_cast<name*> (object)->template setParameter<Index> (value);                                             \
    }

/** HISE's box around a node. */
class OpaqueNode
{
public:
    template <typename Node>
    static std::unique_ptr<OpaqueNode> make()
    {
        static_assert (! Node::isPolyphonic() && Node::getFixChannelAmount() == 2);
        auto box = std::make_unique<OpaqueNode>();
        box->memory.reset (::operator new (sizeof (Node), std::align_val_t (16)));
        auto* node = new (box->memory.get()) Node();
        node->initialise (nullptr);
        ParameterDataList parameters;
        node->createParameters (parameters);
        box->destruct = [] (void* object) { static_cast<Node*> (object)->~Node(); };
        box->connectFunction = [] (void* object, bool add, const runtime_target::connection& c)
        { static_cast<Node*> (object)->connectToRuntimeTarget (add, c); };
        box->prepareFunction = [] (void* object, PrepareSpecs* specs)
        { static_cast<Node*> (object)->prepare (*specs); };
        box->resetFunction = [] (void* object) { static_cast<Node*> (object)->reset(); };
        box->processFunction = [] (void* object, ProcessDataDyn* data)
        { static_cast<Node*> (object)->process (*data); };
        box->monoFunction = [] (void* object, span<1>* data) { static_cast<Node*> (object)->processFrame (*data); };
        box->stereoFunction = [] (void* object, span<2>* data) { static_cast<Node*> (object)->processFrame (*data); };
        box->eventFunction = [] (void* object, HiseEvent* event)
        { static_cast<Node*> (object)->handleHiseEvent (*event); };
        return box;
    }

    ~OpaqueNode() { destruct (memory.get()); }

    void connect (bool add, runtime_target::Cable& cable) { connectFunction (memory.get(), add, { &cable }); }

    void prepare (double rate, int blockSize)
    {
        PrepareSpecs specs { rate, blockSize, 2 };
        prepareFunction (memory.get(), &specs);
        resetFunction (memory.get());
    }

    void process (float** channels, int samples)
    {
        ProcessDataDyn data { channels, 2, samples };
        processFunction (memory.get(), &data);
    }

    void process (span<1>& frame) { monoFunction (memory.get(), &frame); }

    void process (span<2>& frame) { stereoFunction (memory.get(), &frame); }

    void handle (HiseEvent event) { eventFunction (memory.get(), &event); }

private:
    struct Free
    {
        void operator() (void* pointer) const { ::operator delete (pointer, std::align_val_t (16)); }
    };

    std::unique_ptr<void, Free> memory;
    void (*destruct) (void*) = nullptr;
    void (*connectFunction) (void*, bool, const runtime_target::connection&) = nullptr;
    void (*prepareFunction) (void*, PrepareSpecs*) = nullptr;
    void (*resetFunction) (void*) = nullptr;
    void (*processFunction) (void*, ProcessDataDyn*) = nullptr;
    void (*monoFunction) (void*, span<1>*) = nullptr;
    void (*stereoFunction) (void*, span<2>*) = nullptr;
    void (*eventFunction) (void*, HiseEvent*) = nullptr;
};

/** A script's hold of a cable: what it sends, and what it was told. */
class ScriptCable final : public runtime_target::target_base
{
public:
    explicit ScriptCable (runtime_target::Cable& c) : cable (c) {}

    ~ScriptCable() override { cable.targets.removeFirstMatchingValue (this); }

    void registerDataCallback (const std::function<void (const var&)>& function)
    {
        callback = function;
        cable.add (this);
    }

    void sendData (const var& value) { cable.send (this, serialised (value)); }

    void onData (const void* data, size_t size) override { callback (deserialised (data, size)); }

private:
    runtime_target::Cable& cable;
    std::function<void (const var&)> callback;
};

} // namespace scriptnode
