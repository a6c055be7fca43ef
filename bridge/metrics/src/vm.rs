//! Figures of the VM, from Erlang's own functions.

use otp_bridge::{Atom, Cx, Result, atom};

use crate::text::{MetricKind, OpenMetrics};

/// The figures at one time.
pub(crate) struct VmFigures {
    memory: Vec<(Atom, u64)>,
    /// The number of processes, ports, atoms and ets tables.
    counts: [u64; 4],
    run_queue: u64,
}

impl VmFigures {
    /// Reads the figures.
    pub(crate) async fn read(cx: &Cx<'_>) -> Result<Self> {
        let memory = cx.apply("erlang", "memory", ()).await?;
        let mut counts = [0; 4];
        let items = [
            atom!("process_count"),
            atom!("port_count"),
            atom!("atom_count"),
            atom!("ets_count"),
        ];
        for (count, item) in counts.iter_mut().zip(items) {
            *count = cx.apply("erlang", "system_info", (item,)).await?;
        }
        let queues = (atom!("total_run_queue_lengths_all"),);
        Ok(VmFigures {
            memory,
            counts,
            run_queue: cx.apply("erlang", "statistics", queues).await?,
        })
    }

    pub(crate) fn write(&self, text: &mut OpenMetrics) {
        let name = "otp_rs_vm_memory_bytes";
        text.metric(
            name,
            MetricKind::Gauge,
            "Memory of the VM, by `erlang:memory/0`.",
        );
        for (kind, bytes) in &self.memory {
            text.gauge(name, &[("kind", kind.text())], bytes);
        }
        let [processes, ports, atoms, tables] = self.counts;
        let gauges = [
            ("otp_rs_vm_processes", "Processes of the VM.", processes),
            ("otp_rs_vm_ports", "Ports of the VM.", ports),
            ("otp_rs_vm_atoms", "Atoms of the VM.", atoms),
            ("otp_rs_vm_ets_tables", "Tables of the VM.", tables),
            (
                "otp_rs_vm_run_queue",
                "Processes that wait for a scheduler.",
                self.run_queue,
            ),
        ];
        for (name, help, value) in gauges {
            text.metric(name, MetricKind::Gauge, help);
            text.gauge(name, &[], value);
        }
    }
}
